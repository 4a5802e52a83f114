// The job that looks at once whether a server shows the tokens of its pending claims.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

export const ClaimCheck = z.object({ serverId: z.uuid() })
export type ClaimCheck = z.output<typeof ClaimCheck>

export const claimCheck = defineJob('claim-check', ClaimCheck, {
  // With the server's id as singleton key: one that waits serves all who ask before it begins, so nobody can make us flood a server.
  policy: 'short',
  notify: true,
  expireInSeconds: 60,
  // Whoever asked has been answered by then, and each poll looks too.
  retryLimit: 0,
  retentionSeconds: 60,
  deleteAfterSeconds: 60,
})
