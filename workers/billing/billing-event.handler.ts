// Applies one event of the payment provider.
import { type BillingEvent, type BillingEvents, isUnknownToProvider } from '../../src/features/billing/index.ts'
import { PermanentJobError } from '../permanent-job-error.ts'

/** @param events idempotent: an event that was applied changes nothing */
export function createBillingEventHandler(events: Pick<BillingEvents, 'handle'>) {
  return async (job: BillingEvent): Promise<void> => {
    try {
      await events.handle(job)
    } catch (cause) {
      // The event is about an object that the provider does not have: the event, or the API key, belongs to another
      // account.
      if (isUnknownToProvider(cause))
        throw new PermanentJobError(`event ${job.eventId} is about an unknown object`, { cause })
      throw cause
    }
  }
}
