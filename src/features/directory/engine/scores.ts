// Scores as logarithms. Scores double every ten days, so a double can't hold them for long; logarithms fit for decades.
import { uptimeFactor, voteWeightLog } from '../../votes/index.ts'
import type { Columns } from './columns.ts'
import { float64At } from './number-at.ts'
import type { Orders } from './orders.ts'
import type { CountersRow } from './rows.ts'

/** A double holds this many digits exactly. */
const DIGITS = 15
/** Scores that differ by less than a millionth are equal in the order. */
const STEPS = 2 ** 20
const MAX_ORDER = 2 ** 31 - 1

/** @param digits a natural number of any size. @returns log2 of it; -Infinity for 0 */
export const logOf = (digits: string): number =>
  Math.log2(Number(digits.slice(0, DIGITS))) + Math.max(0, digits.length - DIGITS) * Math.log2(10)

/** @returns log2 of the sum of two numbers, from theirs */
function logOfSum(a: number, b: number): number {
  const [high, low] = a > b ? [a, b] : [b, a]
  return high === -Infinity ? high : high + Math.log2(1 + 2 ** (low - high))
}

/** @returns a 32-bit integer that sorts like the score; 0: none */
const orderOf = (log: number): number =>
  log === -Infinity ? 0 : Math.min(MAX_ORDER, Math.max(1, Math.round(log * STEPS)))

const hundredths = (value: number) => Math.round(value * 100) / 100

const shareOf = (share: number) => (Number.isNaN(share) ? null : share)

export function createScores(columns: Columns, orders: Orders) {
  const factorOf = (slot: number): number =>
    uptimeFactor({
      day: shareOf(float64At(columns.uptimeDay, slot)),
      week: shareOf(float64At(columns.uptimeWeek, slot)),
    })

  const scores = {
    set(slot: number, { voteScore, playScore }: Pick<CountersRow, 'voteScore' | 'playScore'>): void {
      columns.voteScore[slot] = logOf(voteScore)
      columns.playScore[slot] = logOf(playScore)
      scores.refresh(slot)
    },
    /** The server's uptime may have changed. */
    refresh(slot: number): void {
      const sum = logOfSum(float64At(columns.voteScore, slot), float64At(columns.playScore, slot))
      const order = orderOf(sum + Math.log2(factorOf(slot)))
      if (order === columns.scoreOrder[slot]) return
      columns.scoreOrder[slot] = order
      orders.changed('score', slot)
    },
    /** The score's parts, and the score, in votes of the hour of `now` (epoch ms). */
    at(slot: number, now: number) {
      const weight = voteWeightLog(now)
      const countedVotes = 2 ** (float64At(columns.voteScore, slot) - weight)
      const playing = 2 ** (float64At(columns.playScore, slot) - weight)
      const availability = factorOf(slot)
      return {
        countedVotes: hundredths(countedVotes),
        playing: hundredths(playing),
        availability,
        score: hundredths((countedVotes + playing) * availability),
      }
    },
  }
  return scores
}
