// An owner proves a server, receives a webhook after a failed attempt, and rewards a vote once.
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { type LoopbackRequest, startLoopbackServer } from '../../support/loopback-server.ts'
import { newKey, withKey } from '../keys.ts'
import { createServer, newVisitor, register, WAIT_OPTIONS } from '../product.ts'

interface Delivery {
  id: string
  type: string
  status: string
  attempts: number
  log: { number: number; status: number | null; response: string }[]
}

const ANOTHERS_SECRET = `whsec_${btoa('the secret of another owner')}`

const idOf = ({ headers }: LoopbackRequest) => headers['webhook-id']

/** Verifies and parses a delivery as a receiver does. @throws when the secret did not sign it */
const verified = (secret: string, { body, headers }: LoopbackRequest) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

test("an owner lists and proves a server, receives a vote's webhook despite a failed attempt, and rewards the vote once", async () => {
  const received: LoopbackRequest[] = []
  const { origin, close } = await startLoopbackServer((request, res) => {
    received.push(request)
    if (received.length === 1) res.writeHead(500).end('out of order')
    else res.writeHead(200).end('thank you')
  })
  onTestFinished(close)

  const owner = await register()
  const { server, verificationToken, game } = await createServer(owner, { name: 'The owner’s island' })
  const path = `/api/servers/${server.id}`
  const shown = async () => (await newVisitor().get(path)).body
  expect((await shown()).isVerified).toBe(false)
  expect((await owner.client.post(`${path}/claim/verify`)).body.status).toBe('pending')
  game.info.name = `The owner’s island ${verificationToken}`
  expect(await owner.client.post(`${path}/claim/verify`)).toMatchObject({ status: 200, body: { status: 'verified' } })
  expect(await shown()).toMatchObject({ name: 'The owner’s island', isVerified: true })

  const webhook = `${path}/webhook`
  const set = await owner.client.put<{ secret: string }>(webhook, { url: `${origin}/votes`, events: ['vote.created'] })
  expect(set.status).toBe(200)
  const { secret } = set.body

  const voter = { visitorId: 'the visitor who votes', username: 'Zoë', gamePlatformId: '76561198000001234' }
  const vote = await newVisitor().post(`${path}/vote`, voter)
  expect(vote).toMatchObject({ status: 200, body: { success: true, webhookSent: true } })

  await expect.poll(() => received.length, WAIT_OPTIONS).toBe(2)
  const [lost, first] = received as [LoopbackRequest, LoopbackRequest]
  expect([idOf(lost), lost.body]).toEqual([idOf(first), first.body])
  expect(first).toMatchObject({ method: 'POST', url: { pathname: '/votes' } })
  const { body: feed } = await owner.client.get<{ votes: { id: string; votedAt: string }[] }>(`${path}/votes`)
  expect(feed.votes).toHaveLength(1)
  const { id: voteId, votedAt } = feed.votes[0] ?? {}
  const event = {
    type: 'vote.created',
    timestamp: votedAt,
    data: {
      voteId,
      serverId: server.id,
      serverName: 'The owner’s island',
      username: 'Zoë',
      gamePlatformId: '76561198000001234',
      votedAt,
      totalVotes: 1,
      monthlyVotes: 1,
      streak: 1,
    },
  }
  for (const attempt of [lost, first]) expect(verified(secret, attempt)).toEqual(event)
  expect(() => verified(secret, { ...first, body: first.body.replace('Zoë', 'Eve') })).toThrow()
  expect(() => verified(ANOTHERS_SECRET, first)).toThrow()

  const logged = async () => {
    const { body } = await owner.client.get<{ deliveries: Delivery[] }>(`${webhook}/deliveries`)
    expect(body.deliveries).toHaveLength(1)
    return body.deliveries[0]
  }
  await expect.poll(async () => (await logged())?.status, WAIT_OPTIONS).toBe('delivered')
  const attempts = [
    { number: 1, status: 500, response: 'out of order' },
    { number: 2, status: 200, response: 'thank you' },
  ]
  expect(await logged()).toMatchObject({ id: idOf(first), type: 'vote.created', attempts: 2, log: attempts })

  const again = await owner.client.post<Delivery>(`${webhook}/deliveries/${idOf(first)}/redeliver`)
  expect(again).toMatchObject({ status: 200, body: { id: idOf(first) } })
  await expect.poll(() => received.length, WAIT_OPTIONS).toBe(3)
  expect([idOf(received[2] as LoopbackRequest), received[2]?.body]).toEqual([idOf(first), first.body])
  await expect.poll(async () => (await logged())?.attempts, WAIT_OPTIONS).toBe(3)
  expect((await logged())?.log[2]).toMatchObject({ number: 3, status: 200 })

  const rotated = (await owner.client.post<{ secret: string }>(`${webhook}/rotate-secret`)).body.secret
  expect(rotated).not.toBe(secret)
  expect((await owner.client.post(`${webhook}/test`)).status).toBe(200)
  await expect.poll(() => received.length, WAIT_OPTIONS).toBe(4)
  const probe = received[3] as LoopbackRequest
  expect(idOf(probe)).not.toBe(idOf(first))
  // Both secrets sign for a day, so that the receiver can switch at any time in between.
  for (const good of [secret, rotated]) expect(verified(good, probe)).toMatchObject({ type: 'webhook.test' })
  expect(() => verified(ANOTHERS_SECRET, probe)).toThrow()

  const key = await newKey(owner, 'The game server')
  const claims = await Promise.all(
    [withKey(key), withKey(key)].map((client) =>
      client.post<{ claimed: number; voteIds: string[] }>(`/api/v1${path.slice(4)}/votes/claim`, {
        gamePlatformId: voter.gamePlatformId,
      }),
    ),
  )
  expect(claims.map(({ status }) => status)).toEqual([200, 200])
  expect(claims.map(({ body }) => body.claimed).sort()).toEqual([0, 1])
  expect(claims.flatMap(({ body }) => body.voteIds)).toEqual([voteId])
  const check = await owner.client.get(`${path}/votes/check?gamePlatformId=${voter.gamePlatformId}`)
  expect(check.body).toEqual({ voted: true, claimed: 1, unclaimed: 0, nextVoteAt: vote.body.nextVoteAt })
})
