// Progress of an import: one bar that is redrawn on a terminal, or an occasional line elsewhere.
import type { Counts } from '../../src/features/listing-files/index.ts'
import { formatNumber } from '../format-number.ts'

export interface Progress {
  /** @param fraction 0 to 1 */
  show(counts: Counts, fraction: number): void
  /** Prints a line above the bar. */
  note(line: string): void
  /** Removes the bar. */
  end(): void
}

const BAR_WIDTH = 30
const REDRAW_MS = 100
/** Rows between two lines without a terminal. */
const LINE_EVERY = 10_000

export function createProgress(
  stream: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean },
  clock: () => number = Date.now,
): Progress {
  let drawn = ''
  let drawnAt = Number.NEGATIVE_INFINITY
  let linesShown = 0
  const clear = () => drawn && stream.write('\r\x1b[K')
  const describe = ({ added, refused }: Counts) => `${formatNumber(added)} added, ${formatNumber(refused)} refused`

  return {
    show(counts, fraction) {
      if (!stream.isTTY) {
        const due = Math.floor((counts.added + counts.refused) / LINE_EVERY)
        if (due > linesShown) stream.write(`${Math.floor(fraction * 100)} %: ${describe(counts)}\n`)
        linesShown = due
        return
      }
      if (clock() - drawnAt < REDRAW_MS) return
      drawnAt = clock()
      const filled = Math.round(fraction * BAR_WIDTH)
      clear()
      drawn = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(Math.floor(fraction * 100)).padStart(3)} %  ${describe(counts)}`
      stream.write(drawn)
    },
    note(line) {
      clear()
      stream.write(`${line}\n${drawn}`)
    },
    end() {
      clear()
      drawn = ''
    },
  }
}
