// Rolls recent samples up to hours and moves them to the chunks of their days: one transaction for a batch of servers,
// so a sample is in one table at any time and is counted once.
import { NIL } from 'uuid'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts'
import { findRolledDays, unmarkRolledUp } from './daily.sql.ts'
import { decodeUnlessDamaged } from './packed-numbers.ts'
import { ensurePartitions } from './partitions.service.ts'
import { bucketOf, mergeBuckets } from './points.ts'
import {
  addToHours,
  closeDay,
  findEndedDays,
  findOpenDays,
  findRecent,
  type RecentSamples,
  type RemovedSamples,
  removeRecent,
  upsertOpenDays,
} from './recent-samples.sql.ts'
import { HOURS_RETENTION_DAYS, lockRollUps } from './roll-up.sql.ts'
import { decodeSamples, encodeSamples, type Sample, splitSamples } from './sample-bytes.ts'
import { insertUnreadable, type Unreadable } from './unreadable.sql.ts'

/** Short transactions, so that the change feed's cursor advances between them. */
const SERVERS_A_TRANSACTION = 500
const CLOSED_A_TRANSACTION = 2_000

/**
 * Rolls up all samples before `cutoff`, the start of an hour. The next call continues one that was killed.
 * @returns the hours that got samples, as milliseconds
 */
export async function rollUpRecent(pool: Pool, cutoff: Date): Promise<Set<number>> {
  const hours = new Set<number>()
  let after: string = NIL
  for (;;) {
    const recent = await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      const found = await findRecent(tx, after, SERVERS_A_TRANSACTION)
      for (const hour of await rollUpBatch(tx, found, cutoff)) hours.add(hour)
      return found
    })
    const last = recent.at(-1)
    if (!last) return hours
    after = last.serverId
  }
}

/** @returns the hours that got samples, as milliseconds */
async function rollUpBatch(tx: Db, recent: RecentSamples[], cutoff: Date): Promise<number[]> {
  if (!recent.length) return []
  const split = splitRecent(recent, cutoff.getTime() / 1000)
  const hours = split.flatMap(({ serverId, samples }) =>
    mergeBuckets(HOUR_MS, samples.map(bucketOf)).map((hour) => ({ serverId, ...hour })),
  )
  // Hours of an earlier day may be deleted already, so that day can't be rolled up again.
  const completeFrom = new Date(cutoff.getTime() - (HOURS_RETENTION_DAYS - 2) * DAY_MS)
  const times = hours.map(({ at }) => at)
  const earlier = times.filter((at) => at < completeFrom)
  const rolled = await findRolledDays(tx, earlier)
  const counted = hours.filter(({ at }) => !rolled.has(at.toISOString().slice(0, 10)))
  await addToHours(tx, counted)
  const later = times.filter((at) => at >= completeFrom)
  await unmarkRolledUp(tx, later)
  const readable = split.filter(({ samples }) => samples.length)
  await addToOpenDays(tx, readable)
  const unreadable = split.flatMap(({ serverId, unreadable: bytes }): Unreadable[] =>
    bytes ? [{ serverId, source: 'recent', day: null, bytes }] : [],
  )
  await insertUnreadable(tx, unreadable)
  await removeRecent(tx, split)
  return times.map((at) => at.getTime())
}

/** Moves the samples of ended days to chunks. */
export async function closeDays(pool: Pool, now: Date): Promise<void> {
  const days = await findEndedDays(pool, now)
  await ensurePartitions(pool, days)
  for (const day of days)
    for (let moved = 1; moved; )
      moved = await inTransaction(pool, async (tx) => {
        await lockRollUps(tx)
        return closeDay(tx, day, CLOSED_A_TRANSACTION)
      })
}

interface SamplesOf {
  serverId: string
  samples: Sample[]
}

function splitRecent(
  recent: RecentSamples[],
  cutoff: number,
): (SamplesOf & RemovedSamples & { unreadable?: Buffer })[] {
  return recent.map(({ serverId, samples }) => {
    const split = decodeUnlessDamaged((bytes) => splitSamples(bytes, cutoff), samples)
    if (!split) return { serverId, read: samples.length, kept: Buffer.alloc(0), samples: [], unreadable: samples }
    return { serverId, read: samples.length, kept: split.rest, samples: split.before }
  })
}

/**
 * Adds samples to the open days of their servers; sets a day aside that can't be read. Call it in a transaction that
 * holds the lock of roll-ups.
 */
async function addToOpenDays(db: Db, added: SamplesOf[]): Promise<void> {
  if (!added.length) return
  const open = await findOpenDays(
    db,
    added.map(({ serverId }) => serverId),
  )
  const present = new Map(open.map(({ serverId, day, samples }) => [`${serverId} ${day}`, samples]))
  const damaged: Unreadable[] = []
  const days = added.flatMap(({ serverId, samples }) =>
    [...Map.groupBy(samples, dayOf)].map(([day, ofDay]) => {
      const bytes = present.get(`${serverId} ${day}`)
      const before = bytes && decodeUnlessDamaged(decodeSamples, bytes)
      if (bytes && !before) damaged.push({ serverId, source: 'open', day, bytes })
      return { serverId, day, samples: encodeSamples([...(before ?? []), ...ofDay]) }
    }),
  )
  await insertUnreadable(db, damaged)
  await upsertOpenDays(db, days)
}

const dayOf = ({ at }: Sample): string => new Date(at * 1000).toISOString().slice(0, 10)
