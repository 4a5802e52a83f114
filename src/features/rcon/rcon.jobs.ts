// Jobs of RCON. They do not carry the command: jobs are stored in clear text, and commands may contain secrets.
import * as z from 'zod'
import { defineJob, defineMaintenance } from '../../platform/queue/contract.ts'

export const rconCommand = defineJob('rcon-command', z.object({ commandId: z.uuid() }), {
  expireInSeconds: 60,
  // A command must not run twice, and its sender has been answered by then.
  retryLimit: 0,
  retentionSeconds: 60,
  deleteAfterSeconds: 60,
})

/** Every five minutes. */
export const rconUpkeep = defineMaintenance('rcon-upkeep', { cadence: 'minutes', expireInSeconds: 300 })
