// Jobs of RCON. They do not carry the command: jobs are stored in clear text, and commands may contain secrets.
import * as z from 'zod'
import { AWAITED_JOB, defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

/** A command must not run twice. */
export const rconCommand = defineJob('rcon-command', z.object({ commandId: z.uuid() }), AWAITED_JOB)

/** Every five minutes. */
export const rconUpkeep = defineScheduledJob('rcon-upkeep', { cadence: 'minutes', expireInSeconds: 300 })

export const jobs = { rconCommand, rconUpkeep }
