// Proof of work for votes (setting VOTE_PROOF): what a vote must bring, and that a proof counts once.
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { describe, expect, test } from 'vitest'
import type { Challenge } from '../../../src/features/votes/proofs/proofs.schema.ts'
import { createVoteProofs } from '../../../src/features/votes/proofs/proofs.service.ts'
import { clearExpiredProofs } from '../../../src/features/votes/upkeep.service.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { addServer, countersOf, newVisitor, vote } from './support.ts'

const settings = { VOTE_PROOF: 'altcha', VOTES_PER_ADDRESS_PER_DAY: '0' }
const api = await startTestApi({ settings })
/** Another API process as far as votes are concerned: they share only the database. */
const another = await startTestApi({ database: api.database, settings })
const { pool } = api.database

const [server, other] = [await addServer(pool), await addServer(pool)]
await Promise.all([api.directory.refresh(), another.directory.refresh()])

const getChallenge = async (id: string, on = api) => {
  const response = await on.request(`/api/servers/${id}/vote/challenge`)
  return { status: response.status, body: (await response.json()) as { required: boolean } & Challenge }
}
const encode = (payload: object) => Buffer.from(JSON.stringify(payload)).toString('base64')

async function solve({ parameters, signature }: Challenge): Promise<string> {
  const challenge = { parameters, signature }
  return encode({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
}
const prove = async (id = server) => solve((await getChallenge(id)).body)
const refusalOf = async (proof: string | undefined) => {
  const { status, body } = await vote(api, server, proof === undefined ? {} : { proof })
  return [status, body.error]
}

describe('with VOTE_PROOF=altcha', () => {
  test('a vote needs the solution of a challenge of its server, from any process', async () => {
    const { status, body } = await getChallenge(server)
    expect([status, body]).toEqual([
      200,
      {
        required: true,
        parameters: expect.objectContaining({
          algorithm: 'PBKDF2/SHA-256',
          keyPrefix: '00',
          data: { serverId: server },
        }),
        signature: expect.stringMatching(/^[\da-f]{64}$/),
      },
    ])
    expect(await refusalOf(undefined)).toEqual([400, 'proof_required'])
    expect(await vote(another, server, { proof: await solve(body) })).toMatchObject({ status: 200 })
    expect(await countersOf(pool, server)).toMatchObject({ total: 1 })
  })

  test('one proof for many votes at the same time, at two processes, counts once', async () => {
    const [target, before] = [await prove(other), await countersOf(pool, other)]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => vote(n % 2 ? api : another, other, { proof: target })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'proof_used')).toHaveLength(19)
    expect(await countersOf(pool, other)).toMatchObject({ total: (before?.total ?? 0) + 1 })
  })

  test('a proof is used up by a vote that the cooldown refuses', async () => {
    const visitorId = newVisitor()
    expect((await vote(api, server, { visitorId, proof: await prove() })).status).toBe(200)
    const proof = await prove()
    expect((await vote(api, server, { visitorId, proof })).body.error).toBe('vote_cooldown')
    expect(await refusalOf(proof)).toEqual([400, 'proof_used'])
  })

  test('what is expired, forged, unsolved, of another server or no proof at all is refused', async () => {
    const { body: challenge } = await getChallenge(server)
    const { parameters, signature } = challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    const easier = { ...parameters, cost: 1 }
    const early = createVoteProofs({ secret: api.deps.settings.APP_SECRET, clock: () => Date.now() - 11 * 60_000 })
    expect(await refusalOf(await solve(await early.challenge(server)))).toEqual([400, 'proof_expired'])
    for (const proof of [
      await prove(other),
      await solve({ parameters: easier, signature }),
      await solve({ parameters: { ...parameters, expiresAt: parameters.expiresAt + 60 }, signature }),
      encode({ challenge: { parameters, signature }, solution: { counter: 0, derivedKey: '00'.repeat(32) } }),
      encode({ challenge: { parameters, signature }, solution: { ...solution, counter: -1 } }),
      encode({ challenge: { parameters }, solution }),
      encode({}),
      'no proof',
    ])
      expect(await refusalOf(proof)).toEqual([400, 'proof_invalid'])
    expect(await refusalOf('x'.repeat(2001))).toEqual([400, 'validation_failed'])
    // None of them has used the challenge up.
    expect(await refusalOf(encode({ challenge: { parameters, signature }, solution }))).toEqual([200, undefined])
  })

  test('owners’ votes for their own server, sent with an API key, need none', async () => {
    const owner = await addPerson(pool, { tier: 'standard' })
    const own = await addServer(pool, { ownerId: owner.id })
    const key = bearer(await createKey(api, owner))
    expect((await vote(api, own, {}, key)).status).toBe(200)
    expect((await vote(api, own, {}, { cookie: owner.cookie })).body.error).toBe('proof_required')
    expect((await vote(api, server, {}, key)).body.error).toBe('proof_required')
  })

  test('a challenge of an unknown server is 404', async () => {
    expect((await getChallenge(crypto.randomUUID())).status).toBe(404)
  })

  test('used proofs are deleted a day after they expire, in batches', async () => {
    await pool.query(
      `insert into vote_proofs (expires_at, nonce)
       select now() - interval '1 day' + n * interval '1 minute', n from generate_series(-5, 5) as n where n <> 0`,
    )
    expect(await clearExpiredProofs(pool, { limit: 2 })).toBe(5)
    expect(await clearExpiredProofs(pool)).toBe(0)
  })

  test('refusals are counted for the operator', async () => {
    const counted = async () => {
      const text = await (await api.request('/metrics')).text()
      return Number(/^directory_votes_total\{outcome="proof"\} (\d+)$/m.exec(text)?.[1])
    }
    const before = await counted()
    await vote(api, server)
    expect(await counted()).toBe(before + 1)
  })
})

describe('without the setting', () => {
  test('no vote needs one, and a proof is ignored', async () => {
    const open = await startTestApi({ database: api.database })
    expect((await getChallenge(server, open)).body).toEqual({ required: false })
    expect((await vote(open, server, { proof: 'no proof' })).status).toBe(200)
  })
})
