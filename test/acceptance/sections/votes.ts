// Votes: the request, the responses, and the 24 hours in between.
import { expect } from 'vitest'
import { newKey, withKey } from '../keys.ts'
import { theOther } from '../other-product.ts'
import { createServer, detailOf, newPlace, newVisitor, register, UNKNOWN_ID, WAIT_OPTIONS } from '../product.ts'
import { ROWS } from '../rows.ts'
import { expectFields, section } from '../section.ts'
import {
  type CooldownAnswer,
  elapse,
  lastVote,
  newVisitorId,
  post,
  solveProof,
  statusOf,
  theServer,
  totalVotes,
  vote,
  voteAgain,
} from '../votes.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The database and the tests have the same clock, read one after the other. */
const SLACK_MS = 1_000

interface VotePage extends Record<string, unknown> {
  votes: { username: string }[]
  nextCursor: string | null
}

section('vote request', {
  visitorId: [
    'is required and separates visitors: each has their own vote',
    async () => {
      const before = await totalVotes()
      const refused = await post<Record<string, unknown>>({ username: 'No visitor' })
      expect(refused).toMatchObject({ status: 400, body: { error: 'validation_failed' } })
      expect(refused.body.details).toMatchObject([{ path: 'body.visitorId' }])
      const { visitorId } = await vote()
      await vote()
      await voteAgain(visitorId)
      expect(await totalVotes()).toBe(Number(before) + 2)
    },
  ],
  username: [
    'is the voter’s name, which the owner sees; optional',
    async () => {
      await vote(newVisitorId(), { username: 'Zoë the Brave' })
      expect(await lastVote()).toMatchObject({ username: 'Zoë the Brave', gamePlatformId: '' })
      await vote()
      expect(await lastVote()).toMatchObject({ username: '', gamePlatformId: '' })
    },
  ],
  gamePlatformId: [
    'is the voter’s id on the game platform, which the owner sees; optional',
    async () => {
      await vote(newVisitorId(), { gamePlatformId: '76561198000000777' })
      expect(await lastVote()).toMatchObject({ username: '', gamePlatformId: '76561198000000777' })
      await vote()
      expect(await lastVote()).toMatchObject({ gamePlatformId: '' })
    },
  ],
})

section('vote result', {
  success: [
    'is true when the vote was counted',
    async () => {
      const before = await totalVotes()
      expect((await vote()).success).toBe(true)
      expect(await totalVotes()).toBe(Number(before) + 1)
    },
  ],
  message: [
    'is a sentence with the server’s name',
    async () => expect((await vote()).message).toMatch(/^Thank you .*The polling station/),
  ],
  webhookSent: [
    'is false while the owner has no webhook for votes',
    async () => expect((await vote()).webhookSent).toBe(false),
  ],
  nextVoteAt: [
    'is 24 hours after the vote, to the millisecond',
    async () => {
      const sentAt = Date.now()
      const { nextVoteAt } = await vote()
      const votedAt = Date.parse((await lastVote())?.votedAt ?? '')
      expect(Date.parse(nextVoteAt) - votedAt).toBe(DAY_MS)
      expect(votedAt).toBeGreaterThan(sentAt - SLACK_MS)
      expect(votedAt).toBeLessThan(Date.now() + SLACK_MS)
    },
  ],
  streak: [
    'is 1 after a first vote, and the same for another browser of the player on the same day',
    async () => {
      expect((await vote(newVisitorId(), { username: 'Streaky' })).streak).toBe(1)
      expect((await vote(newVisitorId(), { username: 'streaky' })).streak).toBe(1)
    },
  ],
})

section('vote cooldown', {
  error: [
    'is the code vote_cooldown, which differs from other limits’',
    async () => expect((await voteAgain((await vote()).visitorId)).error).toBe('vote_cooldown'),
  ],
  cooldownRemaining: [
    'is the milliseconds left until nextVoteAt',
    async () => {
      const { visitorId } = await vote()
      await elapse(visitorId, 3 * HOUR_MS)
      const before = Date.now()
      const { cooldownRemaining, nextVoteAt } = await voteAgain(visitorId)
      expect(cooldownRemaining).toBeLessThanOrEqual(Date.parse(nextVoteAt) - before + SLACK_MS)
      expect(cooldownRemaining).toBeGreaterThanOrEqual(Date.parse(nextVoteAt) - Date.now() - SLACK_MS)
      expect(Math.abs(cooldownRemaining - 21 * HOUR_MS)).toBeLessThan(60_000)
    },
  ],
  nextVoteAt: [
    'is the same as in the accepted vote’s response',
    async () => {
      const { visitorId, nextVoteAt } = await vote()
      expect((await voteAgain(visitorId)).nextVoteAt).toBe(nextVoteAt)
    },
  ],
  message: [
    'states the remaining time for people',
    async () => {
      const { visitorId } = await vote()
      await elapse(visitorId, DAY_MS - 5 * HOUR_MS - 11.5 * 60_000)
      expect((await voteAgain(visitorId)).message).toMatch(/ in 5 hours and 1[12] minutes\.$/)
    },
  ],
})

section('vote status', {
  canVote: [
    'is true before the vote and false after it, for this visitor only',
    async () => {
      const visitorId = newVisitorId()
      expect((await statusOf(visitorId)).canVote).toBe(true)
      await vote(visitorId)
      expect((await statusOf(visitorId)).canVote).toBe(false)
      expect((await statusOf(newVisitorId())).canVote).toBe(true)
    },
  ],
  cooldownRemaining: [
    'is 0 when voting is allowed, otherwise the milliseconds until it is',
    async () => {
      const visitorId = newVisitorId()
      expect((await statusOf(visitorId)).cooldownRemaining).toBe(0)
      const nextVoteAt = Date.parse((await vote(visitorId)).nextVoteAt)
      const before = Date.now()
      const { cooldownRemaining } = await statusOf(visitorId)
      expect(cooldownRemaining).toBeLessThanOrEqual(nextVoteAt - before + SLACK_MS)
      expect(cooldownRemaining).toBeGreaterThanOrEqual(nextVoteAt - Date.now() - SLACK_MS)
    },
  ],
  streak: [
    'is 0 before the first vote, then that of the result',
    async () => {
      const visitorId = newVisitorId()
      expect((await statusOf(visitorId)).streak).toBe(0)
      const { streak } = await vote(visitorId)
      expect((await statusOf(visitorId)).streak).toBe(streak)
    },
  ],
})

section('vote cooldown transitions', {
  'can vote → cooling down': [
    'a valid vote is recorded and starts the cooldown; an invalid one does neither',
    async () => {
      const visitorId = newVisitorId()
      const before = await totalVotes()
      expect((await post({ visitorId, username: 7 })).status).toBe(400)
      expect(await statusOf(visitorId)).toEqual({ canVote: true, cooldownRemaining: 0, streak: 0 })
      const sentAt = Date.now()
      const { nextVoteAt } = await vote(visitorId)
      expect(Date.parse(nextVoteAt)).toBeGreaterThan(sentAt + DAY_MS - SLACK_MS)
      expect((await statusOf(visitorId)).canVote).toBe(false)
      expect(await totalVotes()).toBe(Number(before) + 1)
    },
  ],
  'cooling down → cooling down': [
    'a vote less than 24 hours after the last one is refused, not counted, and does not extend the wait',
    async () => {
      const { visitorId, nextVoteAt } = await vote()
      const before = await totalVotes()
      expect((await voteAgain(visitorId)).nextVoteAt).toBe(nextVoteAt)
      await elapse(visitorId, DAY_MS - 60_000)
      const { cooldownRemaining } = await voteAgain(visitorId)
      expect(cooldownRemaining).toBeGreaterThan(0)
      expect(cooldownRemaining).toBeLessThanOrEqual(60_000)
      expect((await statusOf(visitorId)).canVote).toBe(false)
      expect(await totalVotes()).toBe(before)
    },
  ],
  'cooling down → can vote': [
    'after 24 hours cooldownRemaining is 0, and the next vote counts and starts the cooldown again',
    async () => {
      const { visitorId } = await vote()
      const before = await totalVotes()
      await elapse(visitorId, DAY_MS)
      expect(await statusOf(visitorId)).toEqual({ canVote: true, cooldownRemaining: 0, streak: 1 })
      const sentAt = Date.now()
      const { nextVoteAt } = await vote(visitorId)
      expect(Date.parse(nextVoteAt)).toBeGreaterThan(sentAt + DAY_MS - SLACK_MS)
      expect((await statusOf(visitorId)).canVote).toBe(false)
      expect(await totalVotes()).toBe(Number(before) + 1)
    },
  ],
})

section('POST /api/servers/:id/vote', {
  success: [
    'accepts a vote without credentials, answers 200 and the vote result, and the directory shows it',
    async () => {
      const before = await totalVotes()
      const { status, body } = await post({ visitorId: newVisitorId() })
      expect(status).toBe(200)
      expectFields(body, ROWS['vote result'])
      const { id } = await theServer()
      await expect.poll(async () => (await detailOf(id)).totalVotes, WAIT_OPTIONS).toBe(Number(before) + 1)
      const unknown = await newVisitor().post(`/api/servers/${UNKNOWN_ID}/vote`, { visitorId: newVisitorId() })
      expect(unknown).toMatchObject({ status: 404, body: { error: 'not_found' } })
    },
  ],
  cooldown: [
    'answers 429 with the cooldown body and Retry-After, for the same visitor and server only',
    async () => {
      const { visitorId } = await vote()
      const { status, body, headers } = await post<CooldownAnswer>({ visitorId })
      expect(status).toBe(429)
      expectFields(body, ROWS['vote cooldown'])
      expect(headers.get('retry-after')).toBe(String(Math.ceil(body.cooldownRemaining / 1000)))
      const other = (await createServer(await register())).server
      expect((await newVisitor().post(`/api/servers/${other.id}/vote`, { visitorId })).status).toBe(200)
    },
  ],
})

section('GET /api/servers/:id/vote', {
  visitorId: [
    'is required, 10 to 100 characters',
    async () => {
      const { id } = await theServer()
      for (const [query, status] of [
        ['', 400],
        ['?visitorId=123456789', 400],
        ['?visitorId=1234567890', 200],
        [`?visitorId=${'v'.repeat(100)}`, 200],
        [`?visitorId=${'v'.repeat(101)}`, 400],
      ] as const)
        expect([query, (await newVisitor().get(`/api/servers/${id}/vote${query}`)).status]).toEqual([query, status])
    },
  ],
  response: [
    'answers the vote status, and 404 for an unknown server',
    async () => {
      const path = `vote?visitorId=${newVisitorId()}`
      const { status, body } = await newVisitor().get(`/api/servers/${(await theServer()).id}/${path}`)
      expect(status).toBe(200)
      expectFields(body, ROWS['vote status'])
      const unknown = await newVisitor().get(`/api/servers/${UNKNOWN_ID}/${path}`)
      expect(unknown).toMatchObject({ status: 404, body: { error: 'not_found' } })
    },
  ],
})

section('votes of programs', {
  'GET /api/servers/:id/vote/challenge': [
    'says whether a vote needs a proof of work; by default it does not',
    async () => {
      const path = `/api/servers/${(await theServer()).id}/vote/challenge`
      expect(await newVisitor().get(path)).toMatchObject({ status: 200, body: { required: false } })
      expect((await newVisitor().get(`/api/servers/${UNKNOWN_ID}/vote/challenge`)).status).toBe(404)
    },
  ],
  'votes with a proof of work': [
    'need the solution of a challenge of their server if the directory requires it, and each counts once',
    async () => {
      const other = await theOther()
      const owner = await register(undefined, other)
      const list = async () => (await createServer(owner, { ...newPlace(), queryPort: undefined })).server.id
      const [id, otherId] = [await list(), await list()]
      const send = (proof?: string) =>
        newVisitor(other).post(`/api/servers/${id}/vote`, { visitorId: newVisitorId(), proof })
      const refusal = (error: string) => ({ status: 400, body: { error } })
      expect(await send()).toMatchObject(refusal('proof_required'))
      expect(await send('no proof')).toMatchObject(refusal('proof_invalid'))
      expect(await send(await solveProof(other, otherId))).toMatchObject(refusal('proof_invalid'))
      const proof = await solveProof(other, id)
      expect(await send(proof)).toMatchObject({ status: 200, body: { success: true } })
      expect(await send(proof)).toMatchObject(refusal('proof_used'))
      const { body } = await newVisitor(other).get(`/api/servers/${id}`)
      expect(body.totalVotes).toBe(1)
    },
  ],
  'votes of an owner’s program': [
    'are marked, and have no limit per address on the owner’s servers',
    async () => {
      const { id, owner } = await theServer()
      const program = withKey(await newKey(owner))
      const vote = { visitorId: newVisitorId(), username: 'Ada' }
      expect((await program.post(`/api/servers/${id}/vote`, vote)).status).toBe(200)
      expect(await lastVote()).toMatchObject({ username: 'Ada', source: 'owner' })
    },
  ],
  'GET /api/servers/:id/votes': [
    'lists the votes as they were counted, or latest first with `order=desc`, page by page in both orders',
    async () => {
      const owner = await register()
      const path = `/api/servers/${(await createServer(owner)).server.id}`
      for (const username of ['Ada', 'Ben', 'Cleo'])
        await newVisitor().post(`${path}/vote`, { visitorId: newVisitorId(), username })
      const page = async (query: string) => {
        const { body } = await owner.client.get<VotePage>(`${path}/votes?${query}`)
        return { names: body.votes.map(({ username }) => username), nextCursor: body.nextCursor }
      }
      expect((await page('')).names).toEqual(['Ada', 'Ben', 'Cleo'])
      const latest = await page('order=desc&limit=2')
      expect(latest.names).toEqual(['Cleo', 'Ben'])
      const earlier = await page(`order=desc&limit=2&cursor=${latest.nextCursor}`)
      expect(earlier).toEqual({ names: ['Ada'], nextCursor: null })
    },
  ],
  'votes per address': [
    'are at most 20 for one server in 24 hours; another address is not affected',
    async () => {
      const { id } = (await createServer(await register())).server
      const send = (client = newVisitor()) => client.post(`/api/servers/${id}/vote`, { visitorId: newVisitorId() })
      const crowd = newVisitor()
      for (let n = 1; n <= 20; n++) expect((await send(crowd)).status).toBe(200)
      expect(await send(crowd)).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
      expect((await send()).status).toBe(200)
    },
  ],
})
