// The rules of the images for other sites: which servers have them, and how long they are kept.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { strongEtag } from '../../platform/http/etag.ts'
import { RenderedFile } from '../../platform/http/reply-kinds.ts'
import type { Directory } from '../directory/index.ts'
import { type Range, readPlayerHistory } from '../history/index.ts'
import { renderBadge } from './badge.ts'
import { renderChart } from './chart.ts'
import { STYLE_HASH } from './theme.ts'

export interface WidgetsService {
  /** @throws ApiError 404 if the server is not listed, 503 if the directory is too old, like every function here */
  badge(id: string): RenderedFile
  chart(db: Db, id: string, range: Range): Promise<RenderedFile>
}

interface WidgetsOptions {
  directory: Pick<Directory, 'shown'>
  clock: Clock
}

/** Images are embedded in many pages and need not be accurate to the second. */
const MAX_AGE_SECONDS = 60
const MAX_BYTES = 8 * 1024 * 1024
/** Overhead of an entry besides its bytes. */
const ENTRY_BYTES = 1024

export function createWidgetsService({ directory, clock }: WidgetsOptions): WidgetsService {
  // A chart costs statements: requests at the same time share one drawing, and later ones have it for a minute.
  const charts = new LRUCache<string, RenderedFile, () => Promise<RenderedFile>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
    ttl: MAX_AGE_SECONDS * 1000,
    perf: { now: clock },
    fetchMethod: (_key, _stale, { context: draw }) => draw(),
    ignoreFetchAbort: true, // an entry that is evicted while it is drawn still answers its requests
  })

  return {
    badge: (id) => imageOf(renderBadge(directory.shown.brief(id))),
    async chart(db, id, range) {
      const { name } = directory.shown.brief(id) // also for a chart in the cache
      return charts.forceFetch(`${id} ${range}`, {
        context: async () => {
          const history = await readPlayerHistory({ db, directory }, id, range)
          return imageOf(renderChart({ name, range, history }), STYLE_HASH)
        },
      })
    },
  }
}

function imageOf(svg: string, styleHash?: string): RenderedFile {
  const bytes = Buffer.from(svg)
  return new RenderedFile(bytes, strongEtag(bytes), { maxAgeSeconds: MAX_AGE_SECONDS, ...(styleHash && { styleHash }) })
}
