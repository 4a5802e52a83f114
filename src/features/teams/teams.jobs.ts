// The job of teams.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Hourly: deletes invitations that have expired, and teams that ended with their owner. */
export const teamsUpkeep = defineMaintenance('teams-upkeep', { cadence: 'hours', expireInSeconds: 300 })

export const jobs = { teamsUpkeep }
