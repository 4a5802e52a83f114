// A client's position in the change feed, as text that the client stores. Any process of the same database understands
// it.
import { covers, type PgSnapshot } from '../engine/pg-snapshot.ts'

/**
 * Changes are sent in runs: everything that `base` has not seen, in order, as of some time at or after `target`. At the
 * end of a run everything that `target` has seen was sent, so `target` becomes the next run's base.
 */
export interface Cursor {
  /** Depends on the database, its epoch, timeline and file, and the rule which servers are listed. */
  feedId: string
  /** Undefined: the client has nothing yet. */
  base: PgSnapshot | undefined
  /** When the client had `base`, in epoch ms: what depends on the time alone may have changed since. */
  baseTime: number
  run: Run | undefined
}

export interface Run {
  target: PgSnapshot
  /** The earliest time a page of the run was shown, in epoch ms; the next base's time. */
  time: number
  position: RunPosition
}

/** The last server that was sent: first removed ones by id, then the others by age. */
export type RunPosition = { removed: string } | { createdAt: number; id: string }

/** What a process must show at least to continue from the cursor. */
export const neededFor = ({ base, run }: Cursor): PgSnapshot | undefined => run?.target ?? base

/** Whether a client at cursor `a` has at least what a client at cursor `b` has. */
export function isAhead(a: Cursor, b: Cursor): boolean {
  const needed = neededFor(b)
  return (
    a.base !== undefined &&
    (needed === undefined || covers(a.base, needed)) &&
    a.baseTime >= (b.run?.time ?? b.baseTime)
  )
}

// Maximum number of open transactions in a cursor, so that it fits into a URL and a header.
const MAX_OPEN = 100

/** The text has only letters, digits, `-`, `_` and `.`, so it needs no escaping in a URL, a header and an event. */
export function writeCursor({ feedId, base, baseTime, run }: Cursor): string {
  const parts = [feedId, base ? encodePgSnapshot(base) : '', baseTime.toString(36)]
  if (run) {
    const { position } = run
    const where =
      'removed' in position ? `r_${position.removed}` : `s_${position.createdAt.toString(36)}_${position.id}`
    parts.push(encodePgSnapshot(run.target), run.time.toString(36), where)
  }
  return parts.join('.')
}

/**
 * If too many transactions are open, all from the lowest open one on count as unseen: their rows are
 * sent again, not missed.
 */
export const fitCursor = (seen: PgSnapshot): PgSnapshot =>
  seen.open.size > MAX_OPEN ? { xmin: seen.xmin, xmax: seen.xmin, open: new Set() } : seen

function encodePgSnapshot(seen: PgSnapshot): string {
  const { xmin, xmax, open } = fitCursor(seen)
  return [xmin, xmax - xmin, ...[...open].map((number) => number - xmin)].map((n) => n.toString(36)).join('-')
}

const NUMBER = '[0-9a-z]{1,11}'
const SEEN = `${NUMBER}(?:-${NUMBER}){1,${MAX_OPEN + 1}}`
const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
export const CURSOR = new RegExp(
  `^([\\w-]{8})\\.(${SEEN})?\\.(${NUMBER})(?:\\.(${SEEN})\\.(${NUMBER})\\.(?:r_(${ID})?|s_(-?${NUMBER})_(${ID})))?$`,
)

/** @returns undefined for text that `writeCursor` never wrote */
export function readCursor(text: string): Cursor | undefined {
  if (!CURSOR.test(text)) return undefined
  const [feedId = '', base = '', baseTime = '', target, runTime = '', position = ''] = text.split('.')
  return {
    feedId,
    base: base === '' ? undefined : decodePgSnapshot(base),
    baseTime: Number.parseInt(baseTime, 36),
    run:
      target === undefined
        ? undefined
        : { target: decodePgSnapshot(target), time: Number.parseInt(runTime, 36), position: readRunPosition(position) },
  }
}

function readRunPosition(text: string): RunPosition {
  const [kind, value = '', id = ''] = text.split('_')
  return kind === 'r' ? { removed: value } : { createdAt: Number.parseInt(value, 36), id }
}

function decodePgSnapshot(text: string): PgSnapshot {
  const [xmin = 0, span = 0, ...open] = text.split('-').map((part) => Number.parseInt(part, 36))
  return { xmin, xmax: xmin + span, open: new Set(open.map((number) => xmin + number)) }
}
