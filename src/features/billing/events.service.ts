// The provider's events: stored with their job on arrival, applied by a worker, and found by the
// sweep if a job was lost.
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { billingEvent, type DuplicateSubscriptionsJob, duplicateSubscriptions, paymentRefund } from './billing.jobs.ts'
import { createDuplicates } from './duplicates.service.ts'
import { findUsersWithSeveralSubscriptions } from './duplicates.store.ts'
import {
  deleteForeignReads,
  deleteOldEvents,
  type EventSubject,
  findLostEvents,
  findLostObjects,
  findUnappliedEvent,
  giveUpEventOfMissingObject,
  insertEvent,
  markEventApplied,
} from './events.store.ts'
import { expireLostPages, expireUnopenedPages, findOpenSessions, findPaymentsToRead } from './payments.store.ts'
import { isUnknownToProvider, isUnreachable, type Provider } from './provider.ts'
import { ENDED_STATUSES, PAID_STATUSES } from './provider-objects.ts'
import { createProviderSync } from './provider-sync.service.ts'
import { createRefunds } from './refunds.service.ts'
import { findDueRefunds } from './refunds.sql.ts'
import { findSubscriptionsToRead } from './subscriptions.store.ts'

/** An older signature may be a replay; the provider signs each attempt again. */
export const SIGNATURE_MAX_AGE_SECONDS = 300

const id = z.string().regex(/^\w{1,255}$/)
const Expandable = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish()

/** The fields that are read. The object only names the subject: its state may have changed since. */
const ProviderEvent = z.object({
  id,
  type: z.string().max(255),
  created: z.int().min(0),
  data: z.object({
    object: z.object({
      // Operators choose the ids of products and plans, whose events are only acknowledged.
      id: id.optional().catch(undefined),
      subscription: Expandable.catch(null),
      payment_intent: Expandable.catch(null),
      parent: z
        .object({ subscription_details: z.object({ subscription: Expandable }).nullish() })
        .nullish()
        .catch(null),
    }),
  }),
})
type ProviderEvent = z.output<typeof ProviderEvent>

function subjectOf({ type, data: { object } }: ProviderEvent): EventSubject | undefined {
  const about = (kind: EventSubject['kind'], objectId: string | null | undefined) =>
    objectId ? { kind, id: objectId } : undefined
  if (type.startsWith('checkout.session.')) return about('session', object.id)
  if (type.startsWith('customer.subscription.')) return about('subscription', object.id)
  if (type.startsWith('invoice.'))
    return about('subscription', object.parent?.subscription_details?.subscription ?? object.subscription)
  if (type.startsWith('charge.') || type.startsWith('refund.')) return about('payment', object.payment_intent)
  return undefined
}

const badSignature = (cause: unknown) =>
  new ApiError(400, 'bad_signature', 'The signature is missing, wrong, or older than 5 minutes.', { cause })

/**
 * Stores an event with its job; an event that is stored already is only acknowledged.
 * @param body the bytes that are signed
 * @throws ApiError 400 `bad_signature`, `bad_event`
 */
export async function receiveEvent(
  { pool, jobs }: Pick<Deps, 'pool' | 'jobs'>,
  provider: Provider,
  body: Buffer,
  signature: string,
): Promise<void> {
  const { webhooks } = await provider.stripe()
  let received: unknown
  try {
    received = webhooks.constructEvent(body, signature, provider.webhookSecret, SIGNATURE_MAX_AGE_SECONDS)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw badSignature(cause)
  }
  const parsed = ProviderEvent.safeParse(received)
  if (!parsed.success)
    throw new ApiError(400, 'bad_event', 'The body is signed, but it is not an event.', { cause: parsed.error })
  const event = parsed.data
  const subject = subjectOf(event)
  await inTransaction(pool, async (tx) => {
    const createdAt = new Date(event.created * 1000)
    const isNew = await insertEvent(tx, { id: event.id, type: event.type, createdAt, subject })
    if (isNew && subject) await jobs.enqueue(tx, billingEvent, [{ eventId: event.id }], { singletonKey: event.id })
  })
}

/** How many of each kind one sweep handles; the next sweep handles the rest. */
const SWEEP_LIMIT = 500

/**
 * Handlers of billing's jobs. All are idempotent, and throw StripeError if the provider fails, so
 * that the job is retried.
 */
export function createBillingEvents(deps: Pick<Deps, 'pool' | 'jobs' | 'log'>, provider: Provider | undefined) {
  const { pool, jobs, log } = deps
  const providerSync = provider && createProviderSync(deps, provider)
  const duplicates = provider && createDuplicates(deps, provider)

  /**
   * Reads these objects, until the provider can't be reached: each further one would wait for it.
   * @returns those that the provider does not have
   */
  async function applyEach(kind: EventSubject['kind'], ids: readonly string[]): Promise<string[]> {
    const unknown: string[] = []
    for (const objectId of ids)
      try {
        await providerSync?.apply({ kind, id: objectId })
      } catch (err) {
        log.warn({ err, kind, id: objectId }, 'could not read from the payment provider; a later sweep tries again')
        if (isUnreachable(err)) break
        if (isUnknownToProvider(err)) unknown.push(objectId)
      }
    return unknown
  }

  return {
    /** Applies a stored event. */
    async handle({ eventId }: { eventId: string }): Promise<void> {
      const subject = await findUnappliedEvent(pool, eventId)
      if (!subject) return
      if (!providerSync) throw new Error('billing is off: the event waits')
      try {
        await providerSync.apply(subject)
      } catch (error) {
        if (!isUnknownToProvider(error) || !(await giveUpEventOfMissingObject(pool, eventId))) throw error
        log.warn({ eventId, ...subject }, 'gave up an event: the payment provider had no such object for a day')
        return
      }
      await markEventApplied(pool, eventId)
    },

    /** Cancels and refunds an account's second subscriptions, or one subscription that buys nothing. */
    async resolveDuplicates(job: DuplicateSubscriptionsJob): Promise<void> {
      if (!duplicates) throw new Error('billing is off: the duplicates wait')
      await duplicates.resolve(job)
    },
    /** Refunds a payment. */
    refund: createRefunds(deps, provider),

    /** Finds events and refunds whose jobs were lost, and reads what may have changed without an event. */
    async sweep(): Promise<void> {
      await deleteOldEvents(pool)
      await deleteForeignReads(pool)
      await expireUnopenedPages(pool)
      if (!providerSync) return
      for (const eventId of await findLostEvents(pool, SWEEP_LIMIT))
        await jobs.enqueue(pool, billingEvent, [{ eventId }], { singletonKey: eventId })
      for (const refundId of await findDueRefunds(pool, SWEEP_LIMIT))
        await jobs.enqueue(pool, paymentRefund, [{ refundId }])
      const due = await findSubscriptionsToRead(pool, ENDED_STATUSES, SWEEP_LIMIT)
      for (const id of await findLostObjects(pool, await applyEach('subscription', due)))
        await providerSync.endLostSubscription(id)
      const unknownPages = await applyEach('session', await findOpenSessions(pool, SWEEP_LIMIT))
      await expireLostPages(pool, await findLostObjects(pool, unknownPages))
      await applyEach('session', await findPaymentsToRead(pool, SWEEP_LIMIT))
      for (const userId of await findUsersWithSeveralSubscriptions(pool, PAID_STATUSES, SWEEP_LIMIT))
        await jobs.enqueue(pool, duplicateSubscriptions, [{ userId }], { singletonKey: userId })
      await duplicates?.resolveLost(SWEEP_LIMIT)
    },
  }
}
