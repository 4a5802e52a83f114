// Collects what pages of the feed and look-ups leave behind: their bytes lie outside of the heap, where the collector hardly sees them.
import type { RenderedJson } from '../../platform/http/route.ts'

/** Left to itself the collector lets up to 100 MB of pages pile up while one client asks for many. */
const COLLECT_AFTER_BYTES = 8_000_000

let sinceCollected = 0

/** To be called with each page that is not kept. Only where the process was started with --expose-gc. */
export function collectAfter(page: RenderedJson): RenderedJson {
  sinceCollected += page.bytes.length
  if (sinceCollected >= COLLECT_AFTER_BYTES) {
    sinceCollected = 0
    globalThis.gc?.({ type: 'minor' })
  }
  return page
}
