// The job of teams.
import { defineScheduledJob } from '../../platform/queue/contract.ts'

/** Hourly: deletes invitations that have expired, and teams that ended with their owner. */
export const teamsUpkeep = defineScheduledJob('teams-upkeep', { cadence: 'hours', expireInSeconds: 300 })

export const jobs = { teamsUpkeep }
