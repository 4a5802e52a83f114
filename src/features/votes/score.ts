// The numbers of a server's score: how votes fade, what playing adds, and the factor for being up
// (docs/decisions/0054).
import { HOUR_MS } from '../../platform/durations.ts'

const HALF_LIFE_HOURS = 240
export const HALF_LIFE_DAYS = HALF_LIFE_HOURS / 24
/** Hour 0 of the SQL function `score_hour`. */
const SCORE_EPOCH = Date.UTC(2024, 0, 1)
/** log2 of what a vote of the first hour adds: enough to round to whole numbers. */
const FIRST_WEIGHT_LOG = 20

/** log2 of what a vote at this time (epoch ms) adds to a score: the SQL function `vote_weight` without its rounding. */
export const voteWeightLog = (time: number): number =>
  FIRST_WEIGHT_LOG + Math.max(0, Math.floor((time - SCORE_EPOCH) / HOUR_MS)) / HALF_LIFE_HOURS

/** More people in an hour add nothing, so that invented players are worth at most a fixed number of votes a day. */
export const MAX_PEOPLE = 255
/** Hours with one person on average that add as much as a vote. */
const HOURS_PER_VOTE = 48

/**
 * What an hour with this many people on average adds to a score, as a share of a vote of that hour: at most a sixth.
 */
export const playedVotes = (people: number): number => Math.log2(1 + Math.min(people, MAX_PEOPLE)) / HOURS_PER_VOTE

/** Minimum factor, of a server that was away for a day or a week: such servers are still ordered by their votes. */
const MIN_FACTOR = 0.01

/** @param uptime shares of answered polls; null if there were none */
export const uptimeFactor = ({ day, week }: { day: number | null; week: number | null }): number =>
  Math.max(MIN_FACTOR, (day ?? 1) * (week ?? 1))
