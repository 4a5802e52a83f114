// Sends the status messages that are due: leases them, creates or edits each, and records what became of it
// (docs/decisions/0067-discord-messages.md).
import { randomUUID } from 'node:crypto'
import type { Deps } from '../../../deps.ts'
import { createSecretCipher } from '../../../platform/config/secret-cipher.ts'
import { type Db, inTransaction } from '../../../platform/db/pool.ts'
import { HOUR_MS } from '../../../platform/durations.ts'
import { findPlayersByHour } from '../../history/index.ts'
import { disableEndpoint } from '../disable-endpoint.service.ts'
import { decryptUrl } from '../encrypted-url.ts'
import type { Answer, Transport } from '../kinds/kind.ts'
import { FAILING_FOR_DAYS } from '../results.service.ts'
import { lockEndpoints, updateHealth } from '../results.sql.ts'
import type { DisabledReason } from '../webhooks.schema.ts'
import { statusBody } from './embed.ts'
import {
  EDIT_SECONDS,
  endAbandoned,
  endAttempt,
  endUnconfirmed,
  findAbandonedCreations,
  findDueMessages,
  type LeasedMessage,
  leaseMessages,
  type MessageUpdate,
  pause,
} from './messages.sql.ts'
import { type MessageOutcome, outcomeOf, pauseSecondsOf, requestOf } from './requests.ts'

export type StatusMessageDeps = Pick<Deps, 'pool' | 'jobs' | 'settings' | 'log' | 'clock'>

const HOURS = 24

/** Leases messages that are due; each is to be sent with `sendStatusMessage`. */
export async function leaseStatusMessages({ pool }: Pick<Deps, 'pool'>): Promise<StatusAttempt[]> {
  const due = await findDueMessages(pool)
  if (!due.length) return []
  const leaseId = randomUUID()
  const leased = await inTransaction(pool, (tx) => leaseMessages(tx, due, leaseId))
  // The line of the day is worth no delay: without it the message is still right.
  const hours = await readHours(pool, leased).catch(() => new Map<string, (number | null)[]>())
  return leased.map((message) => ({ ...message, leaseId, hours: hours.get(message.serverId) ?? [] }))
}

export interface StatusAttempt extends LeasedMessage {
  leaseId: string
  hours: (number | null)[]
}

async function readHours(db: Db, messages: LeasedMessage[]): Promise<Map<string, (number | null)[]>> {
  const { to, rows } = await findPlayersByHour(
    db,
    messages.map(({ serverId }) => serverId),
    HOURS,
  )
  const lines = new Map<string, (number | null)[]>()
  if (!to) return lines
  const first = to.getTime() - HOURS * HOUR_MS
  for (const { serverId, hour, players } of rows) {
    const line = lines.get(serverId) ?? Array<number | null>(HOURS).fill(null)
    line[(hour.getTime() - first) / HOUR_MS] = players
    lines.set(serverId, line)
  }
  return lines
}

/** Sends one message and returns how to record the outcome, which can be called again if the database is down. */
export async function sendStatusMessage(
  deps: StatusMessageDeps,
  { post }: Pick<Transport, 'post'>,
  attempt: StatusAttempt,
): Promise<{ outcome: MessageOutcome; record: () => Promise<void> }> {
  const { settings, clock } = deps
  const url = decryptUrl(createSecretCipher(settings), attempt.storedUrl)
  if (url === undefined) {
    const outcome = { outcome: 'failed', error: 'the stored address can’t be decrypted' } as const
    return { outcome, record: () => recordOutcome(deps, attempt, outcome) }
  }
  const body = statusBody(attempt, attempt.hours, { baseUrl: settings.PUBLIC_BASE_URL, at: new Date(clock()) })
  const answer = await post(requestOf(url, attempt.messageId, body))
  const outcome = outcomeOf(answer, attempt.messageId)
  return { outcome, record: () => recordOutcome(deps, attempt, outcome, answer) }
}

async function recordOutcome(
  { pool, jobs }: StatusMessageDeps,
  attempt: StatusAttempt,
  outcome: MessageOutcome,
  answer?: Answer,
): Promise<void> {
  const { endpointId, storedUrl, webhookId, leaseId, messageId, shown } = attempt
  const notEdited: MessageUpdate = {
    endpointId,
    leaseId,
    messageId,
    shown: null,
    isEdited: false,
    error: null,
    waitSeconds: EDIT_SECONDS,
  }
  const end = (tx: Db, changes: Partial<MessageUpdate>) => endAttempt(tx, { ...notEdited, ...changes })
  const disable = (tx: Db, reason: DisabledReason) => disableEndpoint(tx, jobs, { endpointId, storedUrl, reason })
  /** @returns whether it has failed for too long */
  const recordHealth = async (tx: Db, { isFailing }: { isFailing: boolean }) => {
    const health = { endpointId, isSlow: false, isFailing, hasSucceeded: !isFailing }
    const failing = await updateHealth(tx, [health], FAILING_FOR_DAYS)
    return failing.length > 0
  }

  await inTransaction(pool, async (tx) => {
    // First, as the owner's changes do, to avoid deadlocks.
    await lockEndpoints(tx, [endpointId])
    const pauseSeconds = answer && pauseSecondsOf(answer)
    if (pauseSeconds !== undefined) await pause(tx, webhookId, pauseSeconds)
    switch (outcome.outcome) {
      case 'written':
        await recordHealth(tx, { isFailing: false })
        await end(tx, { messageId: outcome.messageId, shown, isEdited: true })
        return
      case 'deleted':
        await end(tx, { messageId: null })
        return
      case 'gone':
        if (await end(tx, { messageId: null })) await disable(tx, 'gone')
        return
      case 'limited': {
        const isOfMessage = outcome.scope === 'message'
        if (!isOfMessage) await pause(tx, outcome.scope === 'global' ? 'global' : webhookId, outcome.seconds)
        await end(tx, { waitSeconds: isOfMessage ? Math.max(outcome.seconds, EDIT_SECONDS) : outcome.seconds })
        return
      }
      case 'failed': {
        const isBeyondLimit = await recordHealth(tx, { isFailing: true })
        await end(tx, { error: outcome.error, waitSeconds: null })
        if (isBeyondLimit) await disable(tx, 'failing')
        return
      }
      case 'unconfirmed':
        if (await endUnconfirmed(tx, { endpointId, leaseId, error: outcome.error })) await disable(tx, 'unconfirmed')
    }
  })
}

/** Disables endpoints whose message was being created by a worker that has ended since. @returns how many */
export async function disableUnconfirmedEndpoints({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  const abandoned = await findAbandonedCreations(pool)
  for (const { endpointId, storedUrl } of abandoned)
    await inTransaction(pool, async (tx) => {
      await lockEndpoints(tx, [endpointId])
      if (await endAbandoned(tx, endpointId, 'the worker ended before the reply'))
        await disableEndpoint(tx, jobs, { endpointId, storedUrl, reason: 'unconfirmed' })
    })
  return abandoned.length
}
