// Polling: the schedule, the poll job's contract, and what a poll's result does.
export { BATCH_SIZE, jobs, PollBatch, poll } from './polling.jobs.ts'
export { applyResults, claimDue, pollRules } from './polling.service.ts'
export { loadBatch, type PollResult, type PollRules, type PollTarget, postpone } from './polling.sql.ts'
