// Triggers garbage collection after large pages of the feed and look-ups: their bytes are outside the heap, where V8
// hardly counts them.
import type { RenderedJson } from '../../../platform/http/reply-kinds.ts'

/** Without this V8 lets up to 100 MB of pages accumulate while one client requests many. */
const COLLECT_AFTER_BYTES = 8_000_000

let sinceCollected = 0

/** Call it with each page that is not cached. Only if the process was started with --expose-gc. */
export function collectAfter(page: RenderedJson): RenderedJson {
  sinceCollected += page.bytes.length
  if (sinceCollected >= COLLECT_AFTER_BYTES) {
    sinceCollected = 0
    globalThis.gc?.({ type: 'minor' })
  }
  return page
}
