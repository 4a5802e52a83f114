// Votes: voting, what owners see and redeem of votes, votes of the last day, the weights of scores, and the jobs that archive months,
// delete cooldowns and add what is played to scores.

export { findRecentVotes } from './cooldowns.sql.ts'
export { findPlacesOfMonth, type PlaceOfMonth, type ServerPlace } from './months.sql.ts'
export { HOSTING_PROVIDERS } from './origins/hosting-providers.ts'
export { personalData } from './personal-data.ts'
export { runVotesPlaying } from './playing.service.ts'
export { deleteVoteKeys, transferVoteKeys } from './plugins/vote-keys.sql.ts'
export { createVoteProgress } from './progress/progress.ts'
export { HALF_LIFE_DAYS, MAX_PEOPLE, playedVotes, uptimeFactor, voteWeightLog } from './score.ts'
export { rankVoteMonths, runVotesMonth, runVotesUpkeep, runVotesVisitors } from './upkeep.service.ts'
export { HAS_VOTED_ONCE } from './voiding/selection.sql.ts'
export { createVoiding } from './voiding/voiding.operations.ts'
export { StoredSelection, VOTE_CRITERIA, VoidingReason, VoteVoiding } from './voiding/voiding.schema.ts'
export { runVoteVoiding } from './voiding/voiding.service.ts'
export { votesOperations } from './votes.operations.ts'
export { VisitorId } from './votes.schema.ts'
export { recordVotes } from './votes.sql.ts'
