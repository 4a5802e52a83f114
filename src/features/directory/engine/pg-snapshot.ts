// Which transactions a reader has seen: PostgreSQL's snapshot (pg_snapshot) as numbers.

export interface PgSnapshot {
  /** Every transaction below it has ended, and so is seen. */
  xmin: number
  /** No transaction at or above it is seen. */
  xmax: number
  /** The transactions from xmin to before xmax that were still open, so are not seen. */
  open: ReadonlySet<number>
}

/** @param snapshot `xmin:xmax:open,open` */
export function parsePgSnapshot(snapshot: string): PgSnapshot {
  const [xmin, xmax, open = ''] = snapshot.split(':')
  return { xmin: Number(xmin), xmax: Number(xmax), open: new Set(open === '' ? [] : open.split(',').map(Number)) }
}

/** @param changedIn 0: unknown, which counts as seen */
export function isVisible({ xmin, xmax, open }: PgSnapshot, changedIn: number): boolean {
  return changedIn < xmin || (changedIn < xmax && !open.has(changedIn))
}

/**
 * Whether `a` has seen all that `b` has seen. Of two snapshots of one database the later has seen all that the earlier
 * has: its xmax is never lower, and at the same xmax fewer are open.
 */
export function covers(a: PgSnapshot, b: PgSnapshot): boolean {
  if (a.xmax < b.xmax || a.xmin < b.xmin) return false
  for (const number of a.open) if (isVisible(b, number)) return false
  return true
}
