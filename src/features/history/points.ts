// The buckets of a range, and the points and totals calculated from them.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts'
import type { Sample } from './sample-bytes.ts'

export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]

/** A range, or what small images show: a day in 24 points, most of which are read from roll-ups. */
export type Shape = Range | 'day by hour'

/**
 * Buckets end on multiples of their width since 1970, UTC. Longer ones are whole hours, because older days are stored
 * by the hour.
 */
const SHAPES: Record<Shape, { rangeMs: number; bucketMs: number }> = {
  '24h': { rangeMs: DAY_MS, bucketMs: 5 * MINUTE_MS }, // 288 points
  '7d': { rangeMs: 7 * DAY_MS, bucketMs: HOUR_MS }, // 168
  '30d': { rangeMs: 30 * DAY_MS, bucketMs: 2 * HOUR_MS }, // 360
  '90d': { rangeMs: 90 * DAY_MS, bucketMs: 6 * HOUR_MS }, // 360
  'day by hour': { rangeMs: DAY_MS, bucketMs: HOUR_MS }, // 24
}

/** The widths of buckets: each divides a day. */
const WIDTHS_MS = [
  ...[5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * HOUR_MS),
]
/** A poll may come a tenth of the interval late, and the one before it a tenth early. */
const MAX_DISTANCE = 1.25

/** A span of time in buckets of equal width; the last one is still running. */
export interface Window {
  start: Date
  /** Exclusive. */
  end: Date
  bucketMs: number
}

/**
 * @param pollMs time between two polls of a server that answers: buckets are wide enough for one in each, so that one
 * without polls is a gap
 */
export function windowOf(shape: Shape, now: Date, pollMs: number): Window {
  const { rangeMs, bucketMs: leastMs } = SHAPES[shape]
  const bucketMs = WIDTHS_MS.find((width) => width >= Math.max(leastMs, pollMs * MAX_DISTANCE)) ?? DAY_MS
  const end = (Math.floor(now.getTime() / bucketMs) + 1) * bucketMs
  return { start: new Date(end - rangeMs), end: new Date(end), bucketMs }
}

/** Totals of the polls in one bucket. */
export interface Bucket {
  /** Its first instant. */
  at: Date
  polls: number
  answered: number
  playersSum: number
  playersMax: number
  maxPlayers: number
}

/** A poll as the totals of itself. */
export const bucketOf = ({ at, players, maxPlayers }: Sample): Bucket => ({
  at: new Date(at * 1000),
  polls: 1,
  answered: players === null ? 0 : 1,
  playersSum: players ?? 0,
  playersMax: Math.max(0, players ?? 0),
  maxPlayers,
})

/** Adds up what begins in the same bucket. @param parts none longer than a bucket */
export function mergeBuckets(bucketMs: number, parts: Iterable<Bucket>): Bucket[] {
  const byTime = new Map<number, Bucket>()
  for (const part of parts) {
    const start = Math.floor(part.at.getTime() / bucketMs) * bucketMs
    const bucket = byTime.get(start)
    if (!bucket) {
      byTime.set(start, { ...part, at: new Date(start) })
      continue
    }
    bucket.polls += part.polls
    bucket.answered += part.answered
    bucket.playersSum += part.playersSum
    bucket.playersMax = Math.max(bucket.playersMax, part.playersMax)
    bucket.maxPlayers = Math.max(bucket.maxPlayers, part.maxPlayers)
  }
  return [...byTime.values()]
}

export type PlayerHistory = ReturnType<typeof toHistory>

/**
 * One point per bucket of the window. `players` is the mean of the answered polls, null if there is none. `maxPlayers`
 * is the last known value. `peak` is the most players at once. Of a point charts show it, and with `polledFrom`, the
 * index of the first point with a poll, and `polledTo`, the one after the last, they tell a server that was not polled
 * from one that did not answer; the reply has none of these.
 * @param parts totals of polls, in any order, none longer than an hour or a bucket of the window
 * @param currentMaxPlayers for a window without polls
 */
export function toHistory(window: Window, parts: readonly Bucket[], currentMaxPlayers: number) {
  const buckets = mergeBuckets(window.bucketMs, parts)
  const byTime = new Map(buckets.map((bucket) => [bucket.at.getTime(), bucket]))
  const points: { at: Date; players: number | null; peak: number | null; maxPlayers: number }[] = []
  let maxPlayers = firstKnown(buckets)?.maxPlayers ?? currentMaxPlayers
  const total = { answered: 0, playersSum: 0, playersMax: 0 }
  for (let at = window.start.getTime(); at < window.end.getTime(); at += window.bucketMs) {
    const bucket = byTime.get(at)
    if (bucket) {
      maxPlayers = bucket.maxPlayers
      total.answered += bucket.answered
      total.playersSum += bucket.playersSum
      total.playersMax = Math.max(total.playersMax, bucket.playersMax)
    }
    const players = bucket?.answered ? Math.round(bucket.playersSum / bucket.answered) : null
    points.push({ at: new Date(at), players, peak: bucket?.answered ? bucket.playersMax : null, maxPlayers })
  }
  const { answered, playersSum, playersMax } = total
  const isPolled = ({ at }: { at: Date }) => byTime.has(at.getTime())
  const firstPolled = points.findIndex(isPolled)
  return {
    points,
    polledFrom: firstPolled === -1 ? points.length : firstPolled,
    polledTo: points.findLastIndex(isPolled) + 1,
    peak: answered ? playersMax : null,
    average: answered ? rounded(playersSum / answered, 2) : null,
    uptime: uptimeOf(parts),
  }
}

/** The highest uptime of a server that left a poll unanswered: only all polls are 1. */
export const HIGHEST_BELOW_ONE = 0.9999

/**
 * The mean of each hour's share of answered polls: a server that is down is polled less often, so its polls together
 * would say too little of it.
 */
function uptimeOf(parts: readonly Bucket[]): number | null {
  const shares = mergeBuckets(HOUR_MS, parts).map(({ polls, answered }) => answered / polls)
  if (shares.length === 0) return null
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return mean < 1 ? Math.min(rounded(mean, 4), HIGHEST_BELOW_ONE) : 1
}

const firstKnown = (buckets: readonly Bucket[]): Bucket | undefined =>
  buckets.reduce<Bucket | undefined>((first, bucket) => (first && first.at <= bucket.at ? first : bucket), undefined)

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
