// One attempt: prepares a delivery for its kind of endpoint, sends it by the worker's transport, and judges the answer.
import type { Deps } from '../../deps.ts'
import { kindOf } from './kinds/index.ts'
import type { Transport } from './kinds/kind.ts'
import type { Lease } from './leases.service.ts'
import type { DueDelivery } from './leases.sql.ts'
import type { FinishedAttempt } from './results.service.ts'

export interface AttemptDeps extends Pick<Deps, 'settings' | 'log' | 'clock'> {
  transport: Transport
}

/** Never throws. @param signal aborted when the endpoint was deleted or changed */
export async function attemptDelivery(
  { settings, log, clock, transport }: AttemptDeps,
  lease: Lease,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<FinishedAttempt> {
  const at = clock()
  const kind = kindOf(lease.kind)
  const { endpointId, storedUrl, url, secrets } = lease
  const attempt = {
    deliveryId: delivery.id,
    endpointId,
    storedUrl,
    number: delivery.attempts + 1,
    attemptedAt: new Date(at),
    queuedAt: delivery.createdAt,
    isOrdered: kind.isOrdered ?? false,
  }
  const notSent = (error: string) => ({ ...attempt, error, latencyMs: 0, response: '' })
  if (url === undefined) return { ...notSent('the URL can’t be read'), verdict: { outcome: 'failed' } }
  if (!secrets) return { ...notSent('the secret can’t be read'), verdict: { outcome: 'failed' } }
  try {
    const message = kind.prepare(delivery, { url, secrets }, { now: at, baseUrl: settings.PUBLIC_BASE_URL })
    if (isRefusal(message)) return { ...notSent(message.refusal), verdict: { outcome: 'refused' } }
    const answer = await kind.send(message, transport, signal)
    return { ...attempt, ...answer, verdict: kind.classify(answer) }
  } catch (err) {
    log.error({ err, endpointId, deliveryId: delivery.id }, 'webhook attempt failed by an internal error')
    return { ...notSent('internal error'), verdict: { outcome: 'failed' } }
  }
}

const isRefusal = (message: unknown): message is { refusal: string } =>
  typeof message === 'object' && message !== null && 'refusal' in message
