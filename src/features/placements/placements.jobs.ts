// The job that begins and ends placements.
import { defineMaintenance } from '../../platform/queue/contract.ts'

/** Runs each minute. What begins and ends is decided by the database's clock, so the next run makes up for a missed one. */
export const placementTurn = defineMaintenance('placement-turn', { cadence: 'minutes', expireInSeconds: 120 })
