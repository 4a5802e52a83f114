// The rules of RCON as its endpoints see them: who may, how often, and having a worker send a command while the caller waits.
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { createVault } from '../../platform/config/vault.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { LimitSubject, Limits } from '../../platform/http/limits.ts'
import { recordAction } from '../audit/index.ts'
import { lockManaged, requireManaged } from '../servers/index.ts'
import { insertCommand, takeSettled } from './commands.sql.ts'
import { deleteCredential, findTarget, upsertCredential } from './credentials.sql.ts'
import { busy, errorOf, isStranded, notVerified, type Outcome } from './outcomes.ts'
import { rconCommand } from './rcon.jobs.ts'
import type { RconSettings, RconState } from './rcon.schema.ts'
import { createSettlement } from './settlement.ts'

/** Api-decisions.md "rcon": over everything, from the request to the answer. */
const LIMIT_MS = 10_000
/** A worker that stops at the limit still has to write that down. */
const GRACE_MS = 500
const LOOK_EVERY_MS = 50
/** Commands of one user, to whatever servers. */
export const COMMANDS_A_MINUTE = 30
const COMMANDS: LimitPolicy[] = [{ name: 'rcon-commands', limit: COMMANDS_A_MINUTE, windowSeconds: 60 }]
/** Commands in vain to one server. Source servers ban an address after a handful of wrong passwords, and ours is everybody's. */
export const FAILURES_A_QUARTER = 10
const FAILURES: LimitPolicy[] = [{ name: 'rcon-failures', limit: FAILURES_A_QUARTER, windowSeconds: 900 }]

export interface RconService {
  /** @throws ApiError 404, 403 */
  state(actor: Actor, id: string): Promise<z.input<typeof RconState>>
  /** @throws ApiError 404, 403 */
  configure(actor: Actor, id: string, settings: RconSettings): Promise<z.input<typeof RconState>>
  /** @throws ApiError 404, 403 */
  remove(actor: Actor, id: string): Promise<void>
  /**
   * Has a worker send the command, and waits for the answer.
   * @throws ApiError 404, 403; 400 with a code of outcomes.ts; 429; 503 when no worker took it in time (it did not run)
   */
  send(actor: Actor, id: string, command: string): Promise<string>
}

export interface RconOptions extends Pick<Deps, 'pool' | 'jobs' | 'settings'> {
  limits: Pick<Limits, 'take' | 'giveBack'>
  /** How long a command may take altogether; 10 s unless given. */
  limitMs?: number
}

export function createRconService(options: RconOptions): RconService {
  const { pool, jobs, settings, limits, limitMs = LIMIT_MS } = options
  const vault = createVault(settings)
  const settlement = createSettlement(vault)
  /** Anybody can list anybody's address; in production only who has proved it theirs has connections opened to its ports. */
  const needsProof = settings.NODE_ENV === 'production'

  /** Places the command. @returns its id */
  async function place(actor: Actor, serverId: string, command: string): Promise<string> {
    const id = uuidv7()
    const sealed = vault.seal('rcon', command)
    const problem = await inTransaction(pool, async (tx) => {
      await lockManaged(tx, actor, serverId)
      const target = await findTarget(tx, serverId)
      if (!target?.credential) return errorOf('not_configured')
      if (needsProof && !target.isVerified) return notVerified()
      await settlement.settleExpired(tx, serverId)
      if (!(await insertCommand(tx, { id, serverId, actorId: actor.userId, command: sealed, limitMs }))) return busy()
      await jobs.enqueue(tx, rconCommand, [{ commandId: id }])
    })
    if (problem) throw problem
    return id
  }

  async function answerOf(id: string): Promise<{ outcome: Outcome; response: string | null }> {
    const deadline = performance.now() + limitMs + GRACE_MS
    for (;;) {
      await sleep(LOOK_EVERY_MS)
      const settled = await takeSettled(pool, id)
      if (settled) return settled
      if (performance.now() <= deadline) continue
      // Its time is over by the database's clock too, which gave it no more than the limit.
      await inTransaction(pool, (tx) => settlement.settleExpired(tx))
      return (await takeSettled(pool, id)) ?? { outcome: 'lost', response: null } // cleared away while this process stood still
    }
  }

  return {
    async state(actor, id) {
      await requireManaged(pool, actor, id)
      const credential = (await findTarget(pool, id))?.credential
      return stateOf(credential ?? undefined)
    },

    configure: (actor, id, { port, password }) =>
      inTransaction(pool, async (tx) => {
        await lockManaged(tx, actor, id)
        const updatedAt = await upsertCredential(tx, { serverId: id, port, password: vault.seal('rcon', password) })
        await recordAction(tx, {
          actorId: actor.userId,
          action: 'rcon.configure',
          targetType: 'server',
          targetId: id,
          details: { port },
        })
        return stateOf({ port, updatedAt })
      }),

    remove: (actor, id) =>
      inTransaction(pool, async (tx) => {
        await lockManaged(tx, actor, id)
        if (await deleteCredential(tx, id))
          await recordAction(tx, { actorId: actor.userId, action: 'rcon.remove', targetType: 'server', targetId: id })
      }),

    async send(actor, id, command) {
      await requireManaged(pool, actor, id)
      await limits.take({ key: actor.userId, policies: COMMANDS })
      // Counted before it is tried, and taken back when it got through: many at once must not slip past the count.
      const attempts: LimitSubject = {
        key: id,
        policies: FAILURES,
        refusal: (seconds) =>
          `This server could not be reached or refused the password ${FAILURES_A_QUARTER} times. Try again in ${seconds} seconds.`,
      }
      await limits.take(attempts)
      let isInVain = false
      try {
        const { outcome, response } = await answerOf(await place(actor, id, command))
        isInVain = isStranded(outcome)
        if (outcome !== 'answered') throw errorOf(outcome)
        return vault.open('rcon', response ?? '')
      } finally {
        if (!isInVain) await limits.giveBack(attempts)
      }
    },
  }
}

const stateOf = (credential: { port: number; updatedAt: Date } | undefined) => ({
  isConfigured: credential !== undefined,
  port: credential?.port ?? null,
  updatedAt: credential?.updatedAt.toISOString() ?? null,
})
