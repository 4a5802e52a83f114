// Polling: the schedule, the poll job's contract, and what a poll's result does.
export { BATCH_SIZE, PollBatch, poll } from './polling.jobs.ts'
export {
  applyResults,
  claimDue,
  loadBatch,
  type PollResult,
  pollRules,
  postpone,
} from './polling.service.ts'
export type { PollRules, PollTarget } from './polling.sql.ts'
