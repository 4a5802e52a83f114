// The job that deletes old messages. A missed or repeated run does no harm.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Daily. */
export const contactRetention = defineScheduledJob('contact-retention', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { contactRetention }
