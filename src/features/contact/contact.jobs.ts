// The job that deletes old messages. A missed or repeated run does no harm.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Daily. */
export const contactRetention = defineMaintenance('contact-retention', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { contactRetention }
