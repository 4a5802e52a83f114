// The jobs of RCON. The command itself is no part of them: jobs are stored in clear, and commands may hold secrets.
import * as z from 'zod'
import { defineJob } from '../../platform/queue/contract.ts'

export const RconOrder = z.object({ commandId: z.uuid() })
export type RconOrder = z.output<typeof RconOrder>

export const rconCommand = defineJob('rcon-command', RconOrder, {
  notify: true,
  expireInSeconds: 60,
  // Whoever asked has been answered by then, and a command must not run twice.
  retryLimit: 0,
  retentionSeconds: 60,
  deleteAfterSeconds: 60,
})

/** Each five minutes. */
export const rconUpkeep = defineJob('rcon-upkeep', z.object({}), {
  policy: 'singleton',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 300,
  deleteAfterSeconds: 86_400,
})
