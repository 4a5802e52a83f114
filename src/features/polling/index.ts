// Polling: the schedule, the poll job's contract, and what a poll's result does.
export { BATCH_SIZE, PollBatch, poll } from './polling.jobs.ts'
export { applyResults, enqueueDue, loadBatch, type PollingDeps, type PollWork, pollRules } from './polling.service.ts'
export { findTargets, type PollResult, type PollRules, type PollTarget, rescheduleUnpolled } from './polling.sql.ts'
