// Applies an event of the payment provider.
import { type BillingWorker, isUnknownToProvider } from '../../src/features/billing/index.ts'
import { PermanentJobError } from '../permanent-job-error.ts'

/** @param events idempotent: applying an event again changes nothing */
export function createBillingEventHandler(events: Pick<BillingWorker, 'handle'>) {
  return async (job: { eventId: string }): Promise<void> => {
    try {
      await events.handle(job)
    } catch (cause) {
      // An event of another account, or the key of another account: the provider has no such object.
      if (isUnknownToProvider(cause))
        throw new PermanentJobError(`the payment provider does not have the object of event ${job.eventId}`, { cause })
      throw cause
    }
  }
}
