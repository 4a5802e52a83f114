// Sends status messages that are due, about once a second; at a stop it ends with the attempts that run.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  disableUnconfirmedEndpoints,
  leaseStatusMessages,
  type StatusAttempt,
  type StatusMessageDeps,
  sendStatusMessage,
} from '../../src/features/webhooks/index.ts'
import type { Sender } from './send.ts'
import { statusMessagesTotal } from './webhooks.metrics.ts'

const ROUND_MS = 1_000
/** While the database is down. The lease ends after 30 s, an attempt after 10. */
const RECORD_TRIES = 10
const RECORD_RETRY_MS = 1_000

export interface StatusMessages {
  start(): void
  /** Starts no more attempts. Resolves when the running ones are recorded. */
  drain(): Promise<void>
}

export function createStatusMessages(deps: StatusMessageDeps, sender: Sender): StatusMessages {
  const { log } = deps
  const stopping = new AbortController()
  let loop: Promise<void> | undefined
  const running = new Set<Promise<void>>()

  async function send(attempt: StatusAttempt): Promise<void> {
    const { outcome, record } = await sendStatusMessage(deps, sender, attempt)
    statusMessagesTotal.inc({ outcome: outcome.outcome })
    // A creation that is not recorded counts as unconfirmed once its lease ends; an edit is sent again.
    for (let tried = 1; ; tried++)
      try {
        return await record()
      } catch (err) {
        log.error({ err, endpointId: attempt.endpointId }, 'status message not recorded yet')
        if (tried === RECORD_TRIES) return
        await sleep(RECORD_RETRY_MS)
      }
  }

  /**
   * Does not wait for its attempts, which overlap with later rounds: a webhook that does not answer delays no other.
   */
  async function round(): Promise<void> {
    await disableUnconfirmedEndpoints(deps)
    for (const attempt of await leaseStatusMessages(deps)) {
      const sending = send(attempt).finally(() => running.delete(sending))
      running.add(sending)
    }
  }

  async function rounds(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round().catch((err: unknown) => log.warn({ err }, 'status messages not looked up; the next round retries'))
      await sleep(ROUND_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    start() {
      if (!stopping.signal.aborted) loop ??= rounds()
    },
    async drain() {
      stopping.abort()
      await loop
      await Promise.all(running)
    },
  }
}
