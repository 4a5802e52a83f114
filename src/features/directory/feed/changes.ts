// The next page of changes since a client's cursor, from the snapshot alone.

import type { Columns } from '../engine/columns.ts'
import { monthOf } from '../engine/instants.ts'
import { float64At, uint32At } from '../engine/number-at.ts'
import { countFitting } from '../engine/page-bytes.ts'
import { covers, isVisible, type PgSnapshot } from '../engine/pg-snapshot.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { firstFrom } from '../engine/sorted-slots.ts'
import { type Cursor, fitCursor, type Place, type Run } from './cursor.ts'

/** What a process shows at a given time. */
export interface View {
  snapshot: Snapshot
  /** What it shows at least; single rows may be newer while a read of the feed runs. */
  seen: PgSnapshot
  life: string
  /** Epoch ms. */
  now: number
}

export interface ChangesPage {
  removed: string[]
  slots: number[]
  /** The client's position after the page. */
  cursor: Cursor
  /** False only if the client then has everything that this process shows. */
  hasMore: boolean
}

const FIRST: Place = { removed: '' }
/** All ids are greater than it. */
const BEFORE_ALL = { createdAt: Number.NEGATIVE_INFINITY, id: '' }

/** The position of a client that has what is shown now. */
export const atPresent = ({ life, seen, now }: View): Cursor => ({ life, base: seen, at: now, run: undefined })

/** The position of a client that has nothing yet. */
export const atNothing = ({ life, now }: View): Cursor => ({ life, base: undefined, at: now, run: undefined })

/** Bounds of a page. */
interface PageBounds {
  /** Servers, including removed ones. */
  limit: number
  /** Of the servers that are not removed; one always fits. */
  bytes: number
  /** Only these servers; without a base, those that are not listed count as removed. */
  ids?: ReadonlySet<string> | undefined
}

/**
 * The next page of a run; starts a run if none is in progress.
 *
 * A run visits the servers by age, which never changes, and sends each that shows a row which the base has not seen, in
 * its current state. The target is the state when the run started. So at its end each server was sent as the target saw
 * it, or newer, unless it changed after the target: then it shows a row that the target has not seen, and the next run
 * sends it.
 * @param cursor its life is the view's, and the view covers what it needs (`neededFor`)
 */
export function nextChanges(view: View, { base, at, run }: Cursor, { limit, bytes, ids }: PageBounds): ChangesPage {
  const { snapshot, life, now } = view
  const seen = fitCursor(view.seen)
  const begun = run ?? { target: seen, at: now, place: base || ids ? FIRST : BEFORE_ALL }
  // Processes’ clocks differ: what depends on the time was shown at this moment or later by any process.
  const runAt = Math.min(begun.at, now)
  const under = (place: Place): { cursor: Cursor; hasMore: boolean } => ({
    cursor: { life, base, at, run: { target: begun.target, at: runAt, place } },
    hasMore: true,
  })

  const removed = 'removed' in begun.place ? removedSince(snapshot, base, begun.place.removed, ids).slice(0, limit) : []
  const lastRemoved = removed.at(-1)
  if (lastRemoved !== undefined && removed.length === limit)
    return { removed, slots: [], ...under({ removed: lastRemoved }) }

  const byAge = snapshot.orders.byAge()
  const order = ids ? ofIds(snapshot, ids) : byAge
  const from = firstAfter(snapshot, order, begun.place)
  // One more than fits tells whether there is more.
  const most = limit - removed.length
  const changed = base
    ? changedSince(snapshot.columns, order.subarray(from), most + 1, { base, at, now })
    : [...order.subarray(from, from + most + 1)]
  const slots = changed.slice(0, countFitting(snapshot, changed.slice(0, most), bytes))
  const last = slots.at(-1)
  if (last !== undefined && changed.length > slots.length) return { removed, slots, ...under(placeOf(snapshot, last)) }
  const cursor = { life, base: begun.target, at: runAt, run: undefined }
  return { removed, slots, cursor, hasMore: !covers(begun.target, seen) }
}

/** @returns ids above `after`, ascending */
function removedSince(
  { removed, slotOf }: Snapshot,
  base: PgSnapshot | undefined,
  after: string,
  ids: ReadonlySet<string> | undefined,
): string[] {
  const isGone = (id: string) => slotOf(id) === undefined && (!base || removed.isNews(base, id))
  if (ids) return [...ids].filter((id) => id > after && isGone(id)).sort()
  return base ? removed.since(base, after) : []
}

/** The slots of listed servers, by age. */
function ofIds({ slotOf, columns }: Snapshot, ids: ReadonlySet<string>): Uint32Array {
  const slots = [...ids].flatMap((id) => slotOf(id) ?? [])
  return Uint32Array.from(slots).sort((a, b) => uint32At(columns.ageRank, a) - uint32At(columns.ageRank, b))
}

/** The client's position after this much of a page's slots, for streams that send servers one by one. */
export function cursorWithin(view: View, before: Cursor, page: ChangesPage, sent: { removed?: string; slot?: number }) {
  const run: Omit<Run, 'place'> = page.cursor.run ?? {
    target: page.cursor.base ?? view.seen,
    at: page.cursor.at,
  }
  const place = sent.slot === undefined ? { removed: sent.removed ?? '' } : placeOf(view.snapshot, sent.slot)
  return { life: page.cursor.life, base: before.base, at: before.at, run: { target: run.target, at: run.at, place } }
}

function placeOf(snapshot: Snapshot, slot: number): { createdAt: number; id: string } {
  return { createdAt: float64At(snapshot.columns.createdAt, slot), id: snapshot.idOf(slot) }
}

/**
 * One plain loop, because a client that asks again finds nothing among 100,000 servers: 0.8 ms; a function per slot
 * takes ten times as long.
 * @returns the first `most` of these slots that changed for a client that has seen `base` and got it at `at`
 */
function changedSince(
  columns: Columns,
  order: Uint32Array,
  most: number,
  { base, at, now }: { base: PgSnapshot; at: number; now: number },
): number[] {
  // Items do not show uptimes, which change for every server each hour.
  const { serverChange, statusChange, countersChange, freshUntil, votesOfMonth } = columns
  const { xmin } = base
  const turnedMonth = monthOf(at) !== monthOf(now)
  const found: number[] = []
  // Read directly: the accessors of number-at.ts make this loop a fifth slower.
  for (let index = 0; index < order.length && found.length < most; index++) {
    const slot = order[index] ?? 0
    const server = serverChange[slot] ?? 0
    const status = statusChange[slot] ?? 0
    const counters = countersChange[slot] ?? 0
    const fresh = freshUntil[slot] ?? 0
    // It became stale since. The bounds of `isStale`, a millisecond wider.
    const turned = (fresh >= at - 1 && fresh <= now) || (turnedMonth && (votesOfMonth[slot] ?? 0) > 0)
    if (!turned && server < xmin && status < xmin && counters < xmin) continue
    if (turned || !isVisible(base, server) || !isVisible(base, status) || !isVisible(base, counters)) found.push(slot)
  }
  return found
}

/** @returns the index of the first server in the order after the position */
function firstAfter(snapshot: Snapshot, order: Uint32Array, place: Place): number {
  if ('removed' in place) return 0
  const { createdAt } = snapshot.columns
  return firstFrom(order.length, (at) => {
    const slot = uint32At(order, at)
    const difference = float64At(createdAt, slot) - place.createdAt
    return difference > 0 || (difference === 0 && snapshot.idOf(slot) > place.id)
  })
}
