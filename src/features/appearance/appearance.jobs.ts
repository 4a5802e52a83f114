// The job of the site's logo. It carries no picture: an uploaded one is in `site_appearance` until it is encoded.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

/** A later upload makes its job do nothing. */
export const LogoAttempt = z.object({ attemptId: z.uuid() })
export type LogoAttempt = z.output<typeof LogoAttempt>

export const logoEncode = defineJob('logo-encode', LogoAttempt, {
  // It waits for pictures of servers: see faces.jobs.ts.
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 5,
  deleteAfterSeconds: 3600,
})

export const jobs = { logoEncode }
