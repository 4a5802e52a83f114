// The job that checks at once whether a server shows the tokens of its pending claims.
import * as z from 'zod'
import { AWAITED_JOB, defineJob } from '../../platform/queue/contract.ts'

/** Each poll checks too. */
export const claimCheck = defineJob('claim-check', z.object({ serverId: z.uuid() }), {
  ...AWAITED_JOB,
  // The singleton key is the server's id: a waiting job serves all requests made before it starts, so requests can't
  // flood a server.
  policy: 'short',
})

export const jobs = { claimCheck }
