// Applies one event of the payment provider's.
import { type BillingEvent, type BillingEvents, isUnknownToProvider } from '../../src/features/billing/index.ts'
import { PermanentJobError } from '../permanent-job-error.ts'

/** @param events idempotent: an event that was applied changes nothing */
export function createBillingEventHandler(events: Pick<BillingEvents, 'handle'>) {
  return async (job: BillingEvent): Promise<void> => {
    try {
      await events.handle(job)
    } catch (cause) {
      // It told of an object that it does not have: an event of another account, or a key of another one.
      if (isUnknownToProvider(cause))
        throw new PermanentJobError(`event ${job.eventId} is about nothing that is there`, { cause })
      throw cause
    }
  }
}
