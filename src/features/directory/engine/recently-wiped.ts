// The servers wiped at or after a time: computed once for all queries about the same time.

import { setBit, wordsFor } from './bits.ts'
import { float64At } from './number-at.ts'
import type { Posting } from './posting.ts'

/** @param lastWipeAt by slot; NaN: no server or no wipe @param slotsEnd used slots are below this */
export function createRecentlyWiped(lastWipeAt: () => Float64Array, slotsEnd: () => number) {
  let known: { instant: number; posting: Posting } | undefined
  return {
    /** @returns servers wiped at or after this time (epoch ms) */
    since(instant: number): Posting {
      if (known?.instant === instant) return known.posting
      const end = slotsEnd()
      const bits = new Int32Array(wordsFor(end))
      const posting: Posting = { size: 0, list: undefined, bits }
      const column = lastWipeAt()
      for (let slot = 0; slot < end; slot++) {
        // False for NaN: such a slot has no server or no wipe.
        if (float64At(column, slot) >= instant) {
          setBit(bits, slot)
          posting.size++
        }
      }
      known = { instant, posting }
      return posting
    },
    /** A server was added, removed or wiped. */
    forget(): void {
      known = undefined
    },
  }
}
