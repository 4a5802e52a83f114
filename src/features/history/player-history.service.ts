// Reads player history and peaks from roll-ups and samples.
import type { Settings } from '../../platform/config/settings.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts'
import type { DirectoryLookup } from '../servers/index.ts'
import { findDaysOfHours, hoursOf } from './months.sql.ts'
import { rethrowUnreachableNode } from './node-unreachable.ts'
import { findHours, findSamples, readRolledUp } from './player-history.sql.ts'
import { type Bucket, bucketOf, type Shape, toHistory, windowOf } from './points.ts'

interface HistorySource {
  db: Sql
  directory: { lookup: Pick<DirectoryLookup, 'maxPlayersOf'> }
  settings: Pick<Settings, 'POLL_INTERVAL_SECONDS'>
  now?: () => Date
}

/**
 * Reads the points of a range or shape.
 * @param source.now replaces the database's clock
 * @throws ApiError 404 if the server is not listed, 503 if the directory is too old or the server's history is on a
 * node that can't be reached
 */
export async function readPlayerHistory({ db, directory, settings, now }: HistorySource, id: string, shape: Shape) {
  const currentMaxPlayers = directory.lookup.maxPlayersOf(id)
  const rolledUp = await readRolledUp(db)
  const window = windowOf(shape, now?.() ?? rolledUp.now, settings.POLL_INTERVAL_SECONDS * 1000)
  // Points shorter than an hour need samples.
  const rolledTo = later(window.start, window.bucketMs < HOUR_MS ? null : rolledUp.daysTo)
  const read = async () => {
    const hours = rolledTo > window.start ? await readHours(db, id, window.start, rolledTo, rolledUp.unpacked) : []
    const samples = (await findSamples(db, [id], rolledTo, window.end)).get(id.toLowerCase()) ?? []
    return [...hours, ...samples.map(bucketOf)]
  }
  const parts = await read().catch(rethrowUnreachableNode)
  return toHistory(window, parts, currentMaxPlayers)
}

/** The hours of rolled-up days from `from` until before `to`. They are in their months from an hour after their day. */
async function readHours(db: Sql, id: string, from: Date, to: Date, unpacked: string[]): Promise<Bucket[]> {
  const packed = await findHours(db, id, from, to)
  const days = unpacked.filter((day) => Date.parse(day) > from.getTime() - DAY_MS && Date.parse(day) < to.getTime())
  const others = days.length ? await findDaysOfHours(db, id, days) : []
  const starts = new Set(days.map(Date.parse))
  return [
    ...packed.filter(({ at }) => !starts.has(Math.floor(at.getTime() / DAY_MS) * DAY_MS)),
    ...others.flatMap(hoursOf),
  ].filter(({ at }) => at >= from && at < to)
}

const later = (first: Date, second: Date | null): Date => (second && second > first ? second : first)

/** Highest player count in the last 24 hours by server id in lower case; servers without answered polls are absent. */
export async function findPeaks(db: Sql, ids: readonly string[]): Promise<Map<string, number>> {
  const { now } = await readRolledUp(db)
  const samples = await findSamples(db, ids, new Date(now.getTime() - DAY_MS), new Date(now.getTime() + 1_000))
  const peaks = new Map<string, number>()
  for (const [id, ofServer] of samples) {
    const answered = ofServer.flatMap(({ players }) => players ?? [])
    if (answered.length) peaks.set(id, Math.max(...answered))
  }
  return peaks
}
