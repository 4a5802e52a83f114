// The rules of the images for other sites: which servers have them, and how long they are kept.
import type { Clock } from '../../deps.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { strongEtag } from '../../platform/http/etag.ts'
import { RenderedFile } from '../../platform/http/reply-kinds.ts'
import type { Language } from '../../platform/language.ts'
import { createMemo } from '../../platform/memo.ts'
import type { Directory } from '../directory/index.ts'
import { type Range, readPlayerHistory } from '../history/index.ts'
import { renderBadge } from './badge.ts'
import { renderBanner } from './banner.ts'
import { renderChart } from './chart.ts'
import type { ReadLastDay } from './last-days.ts'
import { STYLE_HASH } from './theme.ts'

export interface WidgetsOptions {
  directory: Pick<Directory, 'lookup'>
  settings: Pick<Settings, 'POLL_INTERVAL_SECONDS'>
  clock: Clock
}

/** Images are embedded in many pages and need not be accurate to the second. */
const MAX_AGE_SECONDS = 60
const MAX_CHART_BYTES = 8 * 1024 * 1024

/** All functions of the service throw ApiError 404 if the server is not listed, 503 if the directory is too old. */
export function createWidgetsService({ directory, settings, clock }: WidgetsOptions, readLastDay: ReadLastDay) {
  const charts = createMemo<RenderedFile>(
    { maxSize: MAX_CHART_BYTES, sizeCalculation: ({ bytes }) => bytes.length },
    { ttlMs: MAX_AGE_SECONDS * 1000, clock },
  )

  // `brief` refuses a server that is no longer listed, although its image is remembered.
  return {
    badge: (id: string) => imageOf(renderBadge(directory.lookup.brief(id))),
    async chart(db: Sql, id: string, range: Range, language: Language = 'en'): Promise<RenderedFile> {
      const { name } = directory.lookup.brief(id)
      return charts(`${id} ${range} ${language}`, async () => {
        const history = await readPlayerHistory({ db, directory, settings }, id, range)
        return imageOf(renderChart({ name, range, history, language }), STYLE_HASH)
      })
    },
    async banner(db: Sql, id: string): Promise<RenderedFile> {
      directory.lookup.find(id)
      const lastDay = await readLastDay(db, id)
      return imageOf(renderBanner({ ...directory.lookup.brief(id), lastDay }), STYLE_HASH)
    },
  }
}

function imageOf(svg: string, styleHash?: string): RenderedFile {
  const bytes = Buffer.from(svg)
  return new RenderedFile(bytes, strongEtag(bytes), { maxAgeSeconds: MAX_AGE_SECONDS, ...(styleHash && { styleHash }) })
}
