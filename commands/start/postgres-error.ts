// Why the database can't start, in one line for the operator.
export class PostgresStartError extends Error {
  override name = 'PostgresStartError'
}

const DISK_FULL = /no space left on device|disk quota exceeded/i

/** Extracts the reason from a PostgreSQL program's output, with advice for a full disk. */
export function reasonFrom(lines: string[]): string {
  if (lines.some((line) => DISK_FULL.test(line))) return 'the disk is full: free some space, or move DATA_DIR'
  const reason =
    lines.find((line) => /FATAL|PANIC/.test(line)) ??
    lines.find((line) => /error:|could not/.test(line)) ??
    lines.filter(Boolean).at(-1)
  return reason?.replace(/^.*?(FATAL|PANIC):\s*/, '').trim() || 'without a message'
}

/** Message of any thrown value. A failed connection to several addresses (`localhost`) has its reasons in its parts. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
