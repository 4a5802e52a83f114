// Votes: voting, what owners see and redeem of votes, votes of the last day, and the jobs that archive months and delete cooldowns.

export { findRecentVotes } from './cooldowns.sql.ts'
export { runVotesMonth, runVotesUpkeep } from './upkeep.service.ts'
export { jobs } from './votes.jobs.ts'
export { votesOperations } from './votes.operations.ts'
export { recordVotes } from './votes.sql.ts'
