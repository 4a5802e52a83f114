// For crawlers: robots.txt, and the sitemap in parts of servers.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { strongEtag } from '../../platform/http/etag.ts'
import type { Rendered } from '../../platform/http/reply.ts'
import { createMemo } from '../../platform/memo.ts'
import { serverPath } from './components/server-parts.ts'

/** As many as a sitemap may have (sitemaps.org). */
export const URLS_PER_SITEMAP = 50_000
const MINUTE_MS = 60_000
const MAX_PARTS = 4
const PAGES = ['/', '/ranking', '/featured', '/auctions']

/** Servers by slot; a free slot's id is empty. */
export interface Listed {
  slotsEnd(): number
  idOf(slot: number): string
}

export const robots = (origin: string): string =>
  `User-agent: *\nAllow: /api/*.svg$\nDisallow: /api/\nDisallow: /account\nDisallow: /admin\nDisallow: /login\nDisallow: /my/\n\nSitemap: ${origin}/sitemap.xml\n`

/** @param listed the directory now */
export function createSitemap(origin: string, listed: () => Listed) {
  const memo = createMemo<Rendered>({ max: MAX_PARTS }, { ttlMs: 10 * MINUTE_MS, clock: Date.now })
  const countParts = () => Math.max(1, Math.ceil(listed().slotsEnd() / URLS_PER_SITEMAP))

  return {
    /** Of all parts. */
    index: (): string =>
      document(
        'sitemapindex',
        Array.from(
          { length: countParts() },
          (_, part) => `<sitemap><loc>${origin}/sitemap-${part + 1}.xml</loc></sitemap>`,
        ),
      ),
    /** @param part from 1 @returns undefined after the last */
    part(part: number): Promise<Rendered> | undefined {
      if (!(part >= 1 && part <= countParts())) return undefined
      return memo(String(part), async () => {
        const { idOf, slotsEnd } = listed()
        const paths = part === 1 ? [...PAGES] : []
        for (let slot = (part - 1) * URLS_PER_SITEMAP; slot < Math.min(part * URLS_PER_SITEMAP, slotsEnd()); slot++)
          if (idOf(slot) !== '') paths.push(serverPath(idOf(slot)))
        const bytes = Buffer.from(
          document(
            'urlset',
            paths.map((path) => `<url><loc>${origin}${path}</loc></url>`),
          ),
        )
        return { bytes, etag: strongEtag(bytes), maxAgeSeconds: 600, gzip: await promisify(gzip)(bytes) }
      })
    },
  }
}

const document = (root: string, entries: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`
