// Rendered pages that are the same for all visitors, with a session or without, kept until the directory changes.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../../platform/http/errors.ts'
import { strongEtag } from '../../platform/http/etag.ts'
import type { Rendered } from '../../platform/http/rendered-reply.ts'

/** The directory that pages show: the same snapshot and version mean that it has not changed. */
export interface Shown {
  snapshot: { version: number }
  /** Epoch ms. */
  now: number
}

interface Entry {
  rendered: Rendered
  snapshot: object
  version: number
  renderedAt: number
}

const MAX_BYTES = 16 * 1024 * 1024
/**
 * Maximum age of a page after a change, the same as of an API reply: with steady polls, a page is
 * rendered once a second.
 */
const CHANGING_MS = 1_000
/** Maximum renderings at once: requests for further pages are refused, so that the API keeps answering. */
const MAX_RUNNING = 16
const RETRY_AFTER_SECONDS = 2
/** Maximum age of a page without a change: its times in words (“5 minutes ago”) must move. */
const UNCHANGED_MS = 10_000

export function createPageCache() {
  const pages = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ rendered }) => rendered.bytes.length + (rendered.gzip?.length ?? 0) + 1024,
  })
  const running = new Map<string, Promise<Rendered>>()

  async function make(key: string, { snapshot, now }: Shown, render: () => Promise<string>): Promise<Rendered> {
    const { version } = snapshot
    const bytes = Buffer.from(await render())
    const compressed = await promisify(gzip)(bytes, { level: 4 })
    const rendered = {
      bytes,
      etag: strongEtag(bytes),
      maxAgeSeconds: 1,
      gzip: compressed,
      vary: 'Accept-Language, Cookie',
    }
    pages.set(key, { rendered, snapshot, version, renderedAt: now })
    return rendered
  }

  return {
    /**
     * @returns no promise if the page is in memory; requests that arrive while it is rendered share one rendering
     * @throws ApiError 503 while too many other pages are being rendered
     */
    get(key: string, shown: Shown, render: () => Promise<string>): Rendered | Promise<Rendered> {
      const known = pages.get(key)
      if (known) {
        const age = shown.now - known.renderedAt
        const isCurrent = known.snapshot === shown.snapshot && known.version === shown.snapshot.version
        if (age >= 0 && age < (isCurrent ? UNCHANGED_MS : CHANGING_MS)) return known.rendered
      }
      const before = running.get(key)
      if (before) return before
      if (running.size >= MAX_RUNNING)
        throw unavailable('Too many pages are requested at the moment. Try again shortly.', RETRY_AFTER_SECONDS)
      const rendering = make(key, shown, render).finally(() => running.delete(key))
      running.set(key, rendering)
      return rendering
    },
  }
}
