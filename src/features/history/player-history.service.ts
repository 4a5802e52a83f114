// Reads player history from its roll-ups and samples.
import type { Db } from '../../platform/db/pool.ts'
import type { Directory } from '../directory/index.ts'
import { findBuckets, type RolledUp, readRolledUp } from './player-history.sql.ts'
import { addSamples, type Shape, toHistory, type Window, windowOf } from './points.ts'
import { findSamples } from './samples.sql.ts'

const HOUR_MS = 3_600_000

/**
 * Reads the points of a range or shape.
 * @param source.now replaces the database's clock
 * @throws ApiError 404 if the server is not listed, 503 if the directory is too old
 */
export async function readPlayerHistory(
  { db, directory, now }: { db: Db; directory: Pick<Directory, 'shown'>; now?: () => Date },
  id: string,
  shape: Shape,
) {
  const { snapshot, slot } = directory.shown.find(id)
  const currentMaxPlayers = snapshot.columns.maxPlayers[slot] ?? 0
  const rolledUp = await readRolledUp(db)
  const window = windowOf(shape, now?.() ?? rolledUp.now)
  const { daysTo, hoursTo } = readFrom(window, rolledUp)
  const rolled = hoursTo > window.start ? await findBuckets(db, id, window, { daysTo, hoursTo }) : []
  const samples = (await findSamples(db, [id], hoursTo, window.end)).get(id.toLowerCase()) ?? []
  return toHistory(window, addSamples(window.bucketMs, rolled, samples), currentMaxPlayers)
}

/** The times up to which days and hours are read from roll-ups. Buckets shorter than an hour need samples. */
function readFrom({ start, bucketMs }: Window, { daysTo, hoursTo }: RolledUp): { daysTo: Date; hoursTo: Date } {
  if (bucketMs < HOUR_MS) return { daysTo: start, hoursTo: start }
  const days = later(start, daysTo)
  return { daysTo: days, hoursTo: later(days, hoursTo) }
}

const later = (first: Date, second: Date | null): Date => (second && second > first ? second : first)
