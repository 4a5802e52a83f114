// Claims in tests: users, a listed server on loopback with configurable answers, and checks as workers run them.
import { afterAll, onTestFinished } from 'vitest'
import {
  type SimulatedServer,
  type SimulatedServerOptions,
  startSimulatedServer,
} from '../../../dev/simulator/server.ts'
import { claimCheck } from '../../../src/features/claims/index.ts'
import { enqueueDue, type PollBatch, poll, pollRules } from '../../../src/features/polling/index.ts'
import { createClaimChecker } from '../../../workers/claims/claim-check.handler.ts'
import { createOutageGuard } from '../../../workers/polling/outage-guard.ts'
import { createPollHandler } from '../../../workers/polling/poll.handler.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import type { TestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { nextGameAddress } from '../../support/game-address.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { callerOf, serverFields } from '../servers/support.ts'

export interface ClaimedListing {
  id: string
  owner: Person
  /** The token of the claim that the listing created. */
  token: string
  game: SimulatedServer
}

export function createClaimWorld(api: TestApi) {
  const { pool } = api.database
  const call = callerOf(api)

  return {
    call,

    /** A running game server that `owner`, a new user unless given, has listed. */
    async list(options: SimulatedServerOptions = {}, fields: Record<string, unknown> = {}): Promise<ClaimedListing> {
      const game = await startSimulatedServer({ address: nextGameAddress(), ...options })
      onTestFinished(() => game.close())
      const owner = await addPerson(pool)
      const place = { ipAddress: game.address, gamePort: game.port, queryPort: game.port, game: 'protocol-valve' }
      const { status, body } = await call(owner, 'POST', '/servers', serverFields({ ...place, ...fields }))
      if (status !== 201) throw new Error(`listing answered ${status}`)
      const { server, verificationToken } = body as { server: { id: string }; verificationToken: string }
      return { id: server.id, owner, token: verificationToken, game }
    },

    /** A new user claims the server. */
    async claim(id: string): Promise<{ person: Person; token: string }> {
      const person = await addPerson(pool)
      const { body } = await call(person, 'POST', `/servers/${id}/claim`)
      return { person, token: (body as { verificationToken: string }).verificationToken }
    },

    async statusOf(person: Person, id: string): Promise<Record<string, unknown>> {
      return (await call(person, 'GET', `/servers/${id}/claim`)).body
    },

    async listing(id: string): Promise<{ ownerId: string | null; isVerified: boolean }> {
      const { rows } = await pool.query<{ ownerId: string | null; isVerified: boolean }>(
        `select owner_id as "ownerId", is_verified as "isVerified" from servers where id = $1`,
        [id],
      )
      return rows[0] ?? { ownerId: null, isVerified: false }
    },

    /** Makes a waiting takeover's times older; the owner's mail counts as sent when it was enqueued. */
    async passTime(id: string, minutes: number): Promise<void> {
      await pool.query(
        `update server_claims
         set takeover_since = takeover_since - make_interval(mins => $2), takeover_seen_at = takeover_seen_at - make_interval(mins => $2),
           warning_ordered_at = warning_ordered_at - make_interval(mins => $2),
           warned_at = coalesce(warned_at, warning_ordered_at) - make_interval(mins => $2)
         where server_id = $1`,
        [id, minutes],
      )
    },

    /** Mail jobs about a server. */
    async mails(id: string): Promise<unknown[]> {
      const { rows } = await pool.query<{ data: unknown }>(
        `select data from pgboss.job where name = 'mail' and data->>'serverId' = $1 order by created_on`,
        [id],
      )
      return rows.map(({ data }) => data)
    },
  }
}

/** Polls every listed server once and sends the resulting proof queries, as a worker does. */
export async function createPollOnce(api: TestApi): Promise<() => Promise<void>> {
  const { pool, jobs, settings } = api.deps
  const queries = createQueryPool({ concurrency: 20 })
  const checker = createClaimChecker(api.deps)
  afterAll(() => checker.close())
  const handle = createPollHandler({
    ...api.deps,
    log: testLog,
    rules: pollRules(settings),
    guard: createOutageGuard({ intervalMs: 60_000 }),
    ask: createAskServer({
      pool: queries,
      resolve: createTargetResolver({ allowPrivate: true }),
      tries: { online: [300, 500, 800], offline: [300, 500] },
    }),
  })
  return async () => {
    await pool.query(`update server_polls set next_poll_at = now() - interval '1 second'`)
    await enqueueDue({ pool, jobs }, { limit: 10_000, intervalSeconds: 60 })
    for (const { id, data } of await jobs.boss.fetch<PollBatch>(poll.queue, { batchSize: 100 })) {
      await handle(data)
      await jobs.boss.complete(poll.queue, id)
    }
    for (const { id, data } of await jobs.boss.fetch<{ serverId: string }>(claimCheck.queue, { batchSize: 100 })) {
      await checker.handle(data)
      await jobs.boss.complete(claimCheck.queue, id)
    }
  }
}
