// Comparisons that take as long for a wrong secret as for the right one, so that none can be guessed bit by bit.
import { timingSafeEqual } from 'node:crypto'

/** Only the lengths may be learned from the time it takes. */
export function isEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
