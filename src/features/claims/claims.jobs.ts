// The job that checks at once whether a server shows the tokens of its pending claims.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

export const claimCheck = defineJob('claim-check', z.object({ serverId: z.uuid() }), {
  // The singleton key is the server's id: a waiting job serves all requests made before it starts, so requests can't
  // flood a server.
  policy: 'short',
  expireInSeconds: 60,
  // The request has been answered by then, and each poll checks too.
  retryLimit: 0,
  retentionSeconds: 60,
  deleteAfterSeconds: 60,
})
