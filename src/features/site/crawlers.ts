// Files for crawlers: robots.txt, and the sitemap, which is split into parts by server.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { MINUTE_MS } from '../../platform/durations.ts'
import { strongEtag } from '../../platform/http/etag.ts'
import type { Rendered } from '../../platform/http/rendered-reply.ts'
import { createMemo } from '../../platform/memo.ts'
import { monthFrom, monthOfTime } from '../../platform/months.ts'
import { gamePath } from '../games/index.ts'
import { serverPath } from './components/server-parts.ts'

/** A fifth of the limit of sitemaps.org, so that rendering a sitemap does not delay other requests. */
const URLS_PER_SITEMAP = 10_000
const MAX_PARTS = 16
const SITEMAP_PATHS = ['/', '/games', '/ranking', '/featured', '/auctions', '/docs']

/** How many finished months' standings the sitemap has. */
const MONTHS_IN_SITEMAP = 3

/** @returns the last finished months, `2026-10` */
function lastMonths(count: number): string[] {
  const running = monthOfTime(Date.now())
  return Array.from({ length: count }, (_, n) => monthFrom(running, -1 - n))
}

/** Servers by slot; a free slot's id is empty. */
export interface Listed {
  slotsEnd(): number
  idOf(slot: number): string
  slotOf(id: string): number | undefined
  slotOfShort(shortId: string): number | undefined
  /** The folded names. */
  names: { at(slot: number): string }
  /** The games that have servers, by type. */
  games: ReadonlyMap<string, unknown>
}

/** Finds which of these months, `2026-10`, have standings of which of these games. */
export type FindMonthsWithStandings = (
  months: readonly string[],
  games: readonly string[],
) => Promise<readonly { month: string; game: string }[]>

/** Allows charts and cards, which are parts of pages: chats show no preview picture that robots.txt forbids. */
export const robots = (origin: string): string =>
  `User-agent: *\nAllow: /api/*.svg\nAllow: /api/servers/*/card.png\nDisallow: /api/\nDisallow: /account\nDisallow: /admin\nDisallow: /login\nDisallow: /my/\n\nSitemap: ${origin}/sitemap.xml\n`

export interface SitemapOptions {
  origin: string
  /** @returns the current directory */
  listed(): Listed
  findMonthsWithStandings: FindMonthsWithStandings
}

export function createSitemap({ origin, listed, findMonthsWithStandings }: SitemapOptions) {
  const memo = createMemo<Rendered>({ max: MAX_PARTS }, { ttlMs: 10 * MINUTE_MS, clock: Date.now })
  const countParts = () => Math.max(1, Math.ceil(listed().slotsEnd() / URLS_PER_SITEMAP))

  /**
   * Pages of the last months' standings: only those that have some, since others are `noindex`. None while the database
   * is away: the rest of the sitemap is in memory.
   */
  async function topPaths(games: readonly string[]): Promise<string[]> {
    const found = await findMonthsWithStandings(lastMonths(MONTHS_IN_SITEMAP), games).catch(() => [])
    const ofAll = new Set(found.map(({ month }) => `/top/${month}`))
    return [...ofAll, ...found.map(({ month, game }) => `${gamePath(game)}/top/${month}`)]
  }

  async function pathsOfFirstPart(): Promise<string[]> {
    const games = [...listed().games.keys()]
    return [...SITEMAP_PATHS, ...games.map(gamePath), ...(await topPaths(games))]
  }

  return {
    /** The index of all parts. */
    index: (): string =>
      document(
        'sitemapindex',
        Array.from(
          { length: countParts() },
          (_, part) => `<sitemap><loc>${origin}/sitemap-${part + 1}.xml</loc></sitemap>`,
        ),
      ),
    /** @param number of the part as the index spells it: 1, 2, … @returns undefined if there is no such part */
    part(number: string): Promise<Rendered> | undefined {
      const part = Number(number)
      if (!/^[1-9]\d*$/.test(number) || part > countParts()) return undefined
      return memo(number, async () => {
        const paths = part === 1 ? await pathsOfFirstPart() : []
        const { idOf, slotsEnd, names } = listed()
        for (let slot = (part - 1) * URLS_PER_SITEMAP; slot < Math.min(part * URLS_PER_SITEMAP, slotsEnd()); slot++)
          if (idOf(slot) !== '') paths.push(serverPath({ id: idOf(slot), name: names.at(slot) }))
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
