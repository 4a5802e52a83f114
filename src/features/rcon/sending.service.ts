// Hands a command to a worker and waits for its answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { LimitSubject, Limits } from '../../platform/http/limits.ts'
import { requireManaged } from '../servers/index.ts'
import { collectCompleted, insertCommand } from './commands.sql.ts'
import { recordExpired } from './completion.ts'
import { findTarget } from './credentials.sql.ts'
import { countsAsFailure, errorOf, type Outcome, rconBusy, usableTarget } from './outcomes.ts'
import { rconCommand } from './rcon.jobs.ts'

/** `sendRconCommand`: from the request to the answer. */
const LIMIT_MS = 10_000
/** A worker that stops at the limit still has to record the outcome. */
const GRACE_MS = 500
const CHECK_EVERY_MS = 50
/** Limit per server. Source servers ban an address after a handful of wrong passwords, and all users share ours. */
export const FAILURES_PER_QUARTER_HOUR = 10
const FAILURES: LimitPolicy[] = [{ name: 'rcon-failures', limit: FAILURES_PER_QUARTER_HOUR, windowSeconds: 900 }]

export interface SenderOptions extends Pick<Deps, 'pool' | 'jobs' | 'settings'> {
  limits: Pick<Limits, 'consume' | 'refund'>
  /** How long a command may take altogether; 10 s by default. */
  limitMs?: number
}

export function createCommandSender(options: SenderOptions) {
  const { pool, jobs, settings, limits, limitMs = LIMIT_MS } = options
  const secretCipher = createSecretCipher(settings)

  /** @returns the id of the command that a worker will run */
  async function submit(actor: Actor, serverId: string, command: string): Promise<string> {
    const id = uuidv7()
    const encrypted = secretCipher.encrypt('rcon', command)
    const problem = await inTransaction(pool, async (tx) => {
      await requireManaged(tx, actor, serverId, { right: 'rcon', lock: 'update' })
      const target = usableTarget(await findTarget(tx, serverId), settings)
      if (typeof target === 'string') return errorOf(target)
      await recordExpired(tx, secretCipher, serverId)
      if (!(await insertCommand(tx, { id, serverId, actorId: actor.userId, command: encrypted, limitMs })))
        return rconBusy()
      await jobs.enqueue(tx, rconCommand, [{ commandId: id }])
    })
    if (problem) throw problem
    return id
  }

  async function waitForAnswer(id: string): Promise<{ outcome: Outcome; response: string | null }> {
    const deadline = performance.now() + limitMs + GRACE_MS
    for (;;) {
      await sleep(CHECK_EVERY_MS)
      const completed = await collectCompleted(pool, id)
      if (completed) return completed
      if (performance.now() <= deadline) continue
      // The command has expired by the database's clock too, which gave it no more than the limit.
      await inTransaction(pool, (tx) => recordExpired(tx, secretCipher))
      return (await collectCompleted(pool, id)) ?? { outcome: 'lost', response: null } // deleted while this process was suspended
    }
  }

  /**
   * Has a worker send the command, and waits for the answer.
   * @throws ApiError 404, 403; 400 with a code of outcomes.ts; 429; 503 if no worker started the command in
   * time (it did not run)
   */
  return async function send(actor: Actor, serverId: string, command: string): Promise<string> {
    // Counted before the attempt and refunded unless it failed: simultaneous commands must not bypass the count.
    const attempt: LimitSubject = {
      key: serverId,
      policies: FAILURES,
      refusal: (seconds) =>
        `${FAILURES_PER_QUARTER_HOUR} commands to this server failed. Try again in ${seconds} seconds.`,
    }
    await limits.consume(attempt)
    let isFailure = false
    try {
      const { outcome, response } = await waitForAnswer(await submit(actor, serverId, command))
      isFailure = countsAsFailure(outcome)
      if (outcome !== 'answered') throw errorOf(outcome)
      return secretCipher.decrypt('rcon', response ?? '')
    } finally {
      if (!isFailure) await limits.refund(attempt)
    }
  }
}
