// Progress of a backup or a restore on standard error: one line per table with rows, and on a
// terminal the current amount.
import { formatNumber } from '../format-number.ts'

export interface Progress {
  /** Names the phase of the following tables. */
  begin(what: string): void
  add(bytes: number): void
  tableDone(name: string, rows: number): void
}

const REDRAW_MS = 200

export function createProgress(stream: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean }): Progress {
  let total = 0
  let drawnAt = 0
  const clear = () => stream.isTTY && stream.write('\r\x1b[K')
  return {
    begin(what) {
      clear()
      total = 0
      stream.write(`${what}\n`)
    },
    add(bytes) {
      total += bytes
      if (!stream.isTTY || Date.now() - drawnAt < REDRAW_MS) return
      drawnAt = Date.now()
      stream.write(`\r\x1b[K  ${formatNumber(Math.round(total / 1e6))} MB`)
    },
    tableDone(name, rows) {
      if (!rows) return
      clear()
      stream.write(`  ${name}: ${formatNumber(rows)} rows\n`)
    },
  }
}
