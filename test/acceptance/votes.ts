// Visitors who vote for one server, and its owner, who reads the votes.
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect } from 'vitest'
import { createServer, database, newVisitor, type Product, register } from './product.ts'
import { onceNeeded } from './section.ts'

export const theServer = onceNeeded(async () => {
  const owner = await register()
  return { owner, ...(await createServer(owner, { name: 'The polling station' })).server }
})

let visitors = 0
export const newVisitorId = () => `visitor-of-votes-${++visitors}`

interface VoteAnswer {
  success: boolean
  message: string
  webhookSent: boolean
  nextVoteAt: string
  streak: number
}
export interface CooldownAnswer {
  error: string
  cooldownRemaining: number
  nextVoteAt: string
  message: string
}
interface Status {
  canVote: boolean
  cooldownRemaining: number
  streak: number
}

/** Each visitor has its own address. */
export const post = async <Body = VoteAnswer>(request: object) =>
  newVisitor().post<Body>(`/api/servers/${(await theServer()).id}/vote`, request)

/** Sends a vote that is accepted. */
export async function vote(visitorId = newVisitorId(), more: object = {}): Promise<VoteAnswer & { visitorId: string }> {
  const { status, body } = await post({ visitorId, ...more })
  expect(status).toBe(200)
  return { ...body, visitorId }
}

/** Sends a vote that is refused because of an earlier one. */
export async function voteAgain(visitorId: string): Promise<CooldownAnswer> {
  const { status, body } = await post<CooldownAnswer>({ visitorId })
  expect(status).toBe(429)
  return body
}

export async function statusOf(visitorId: string): Promise<Status> {
  const { id } = await theServer()
  const { status, body } = await newVisitor().get<Status>(`/api/servers/${id}/vote?visitorId=${visitorId}`)
  expect(status).toBe(200)
  return body
}

/** The count in the directory, which is at most a second old. */
export async function totalVotes(): Promise<number | undefined> {
  const { owner } = await theServer()
  const { body } = await owner.client.get<{ servers: { totalVotes: number }[] }>('/api/user/servers')
  return body.servers[0]?.totalVotes
}

interface ListedVote {
  username: string
  gamePlatformId: string
  votedAt: string
}

/** The newest vote in the owner's list. */
export async function lastVote(): Promise<ListedVote | undefined> {
  const { id, owner } = await theServer()
  const { body } = await owner.client.get<{ votes: ListedVote[] }>(`/api/servers/${id}/votes?limit=100`)
  return body.votes.at(-1)
}

/** Moves the visitor's last vote into the past. */
export async function elapse(visitorId: string, ms: number): Promise<void> {
  await database.query(
    `update vote_cooldowns set last_voted_at = last_voted_at - $3 * interval '1 ms' where server_id = $1 and visitor_id = $2`,
    [(await theServer()).id, visitorId, ms],
  )
}

const TIMES_OF_VOTES = {
  vote_cooldowns: ['last_voted_at'],
  vote_addresses: ['voted_at'],
  vote_streaks: ['started_at', 'counted_at', 'last_voted_at'],
  votes: ['voted_at'],
}

/** As if a day had passed since the votes for a server, and the orders of reminders. */
export async function passDay(serverId: string): Promise<void> {
  for (const [table, times] of Object.entries(TIMES_OF_VOTES)) {
    const set = times.map((time) => `${time} = ${time} - interval '24 hours'`).join(', ')
    await database.query(`update ${table} set ${set} where server_id = $1`, [serverId])
  }
  await database.query(
    `with reminder as (
       update vote_reminders set due_at = due_at - interval '24 hours', sent_at = sent_at - interval '24 hours'
       where server_id = $1
       returning id, to_char(due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as due_at)
     update pgboss.job
     set start_after = start_after - interval '24 hours', data = data || jsonb_build_object('dueAt', due_at)
     from reminder
     where name = 'vote-reminder' and state = 'created' and data ->> 'reminderId' = reminder.id::text`,
    [serverId],
  )
}

/** Solves a new challenge of a server, as a page does with VOTE_PROOF=altcha. @returns the `proof` of one vote */
export async function solveProof(at: Product, serverId: string): Promise<string> {
  const { body } = await newVisitor(at).get<Challenge & { required: boolean }>(
    `/api/servers/${serverId}/vote/challenge`,
  )
  const { required, ...challenge } = body
  expect(required).toBe(true)
  const payload = { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
  return Buffer.from(JSON.stringify(payload)).toString('base64')
}
