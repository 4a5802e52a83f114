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
  // Hours of an earlier day may be deleted already, so that day can't be rolled up again.
  const completeFrom = new Date(cutoff.getTime() - (HOURS_RETENTION_DAYS - 2) * DAY_MS)
  const hours = new Set<number>()
  for (let after: string | undefined = NIL; after; ) {
    const from: string = after
    after = await inTransaction(pool, async (tx) => {
      await lockRollUps(tx)
      const recent = await findRecent(tx, from, SERVERS_A_TRANSACTION)
      if (!recent.length) return undefined
      const split = splitRecent(recent, cutoff.getTime() / 1000)
      const counted = split.flatMap(({ serverId, samples }) =>
        mergeBuckets(HOUR_MS, samples.map(bucketOf)).map((hour) => ({ serverId, ...hour })),
      )
      const rolled = await findRolledDays(
        tx,
        counted.filter(({ at }) => at < completeFrom).map(({ at }) => at),
      )
      await addToHours(
        tx,
        counted.filter(({ at }) => !rolled.has(at.toISOString().slice(0, 10))),
      )
      await unmarkRolledUp(
        tx,
        counted.map(({ at }) => at).filter((at) => at >= completeFrom),
      )
      for (const { at } of counted) hours.add(at.getTime())
      await addToOpenDays(
        tx,
        split.filter(({ samples }) => samples.length),
      )
      await insertUnreadable(
        tx,
        split.flatMap(({ serverId, unreadable }) =>
          unreadable ? { serverId, source: 'recent', day: null, bytes: unreadable } : [],
        ),
      )
      await removeRecent(tx, split)
      return recent.at(-1)?.serverId
    })
  }
  return hours
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
