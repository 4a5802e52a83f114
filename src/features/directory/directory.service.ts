// The directory's rules: what the snapshot answers, and when it is too old to answer.

import type * as z from 'zod'
import type { Clock } from '../../deps.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { DAY_MS } from '../../platform/durations.ts'
import { unavailable, validationFailed } from '../../platform/http/errors.ts'
import type { RenderedJson } from '../../platform/http/reply-kinds.ts'
import { noSuchServer } from '../servers/index.ts'
import type { Columns } from './engine/columns.ts'
import type { Facet } from './engine/facets.ts'
import { belongsTo } from './engine/list-cursor.ts'
import { seedNumber } from './engine/mix-bits.ts'
import { monthlyStandings } from './engine/monthly-standings.ts'
import { int32At } from './engine/number-at.ts'
import { createFacetCache, createPageCache } from './engine/page-cache.ts'
import type { DirectoryQuery } from './engine/plan.ts'
import type { PlayerHoursLoader } from './engine/player-hours-loader.ts'
import { hasSlot, membersOf, type Posting } from './engine/posting.ts'
import type { PreviousPlacesLoader } from './engine/previous-places-loader.ts'
import { readRecord } from './engine/records.ts'
import { renderDetail, renderPublicDetail, renderStats } from './engine/render.ts'
import type { Snapshot } from './engine/snapshot.ts'
import { LISTS_WAIT_MS, type Trending } from './engine/trending.ts'
import type { Feed } from './feed/feed.ts'
import type { ServerBrief } from './http/directory.schema.ts'
import type { FacetsQuery, PublicServersQuery, ServersQuery } from './http/list-queries.schema.ts'

/** A server in a few words, for images and suggestions. */
export type Brief = z.input<typeof ServerBrief> & { gameName: string; connectAddress: string }

interface ServiceOptions extends Pick<Feed, 'current' | 'ageSeconds'> {
  settings: Pick<Settings, 'DIRECTORY_MAX_STALENESS_SECONDS' | 'JUST_WIPED_DAYS'>
  clock: Clock
  trending: Trending
  playerHours: PlayerHoursLoader
  previousPlaces: PreviousPlacesLoader
}

/** Sort keys that are ascending by default. */
const ASCENDING = new Set(['name', 'rank', 'nextWipeAt'])
// The feed retries each second, so after this wait a client most likely finds it synchronized again.
const RETRY_AFTER_SECONDS = 5

/** While what the process shows is too old, or it has not read the directory yet. */
export const notUpToDate = () =>
  unavailable('The directory is being brought up to date. Try again shortly.', RETRY_AFTER_SECONDS)

const cursorOfAnotherList = () =>
  validationFailed([
    { path: 'cursor', message: 'must be used with the filters and the order of the request that answered it' },
  ])

export type DirectoryService = ReturnType<typeof createDirectoryService>

/** All functions of the service throw ApiError 503 `unavailable` while the snapshot is too old. */
export function createDirectoryService(options: ServiceOptions) {
  const pages = createPageCache()
  const facets = createFacetCache()

  /** The snapshot as of now. Throws if it is too old, because an old list must not look like a current one. */
  function requireFresh(): { snapshot: Snapshot; now: number } {
    if (options.ageSeconds() > options.settings.DIRECTORY_MAX_STALENESS_SECONDS) throw notUpToDate()
    const now = options.clock()
    const snapshot = options.current()
    snapshot.advance(now)
    return { snapshot, now }
  }

  /** @throws ApiError 404 if no listed server has the id, also if the id is malformed */
  function find(id: string): { snapshot: Snapshot; slot: number; now: number } {
    const { snapshot, now } = requireFresh()
    const slot = snapshot.slotOf(id)
    if (slot === undefined) throw noSuchServer()
    return { snapshot, slot, now }
  }

  function totalsBy(facetOf: (snapshot: Snapshot) => Facet) {
    const { snapshot } = requireFresh()
    return new Map(Array.from(facetOf(snapshot), ([value, posting]) => [value, totalOf(posting, snapshot.columns)]))
  }

  /** Converts filters by days to times, in whole seconds: so all queries of one second share a set of servers. */
  function withTimes<Filters extends z.output<typeof FacetsQuery>>(filters: Filters, now: number) {
    const { justWiped, wipedWithinDays, createdWithinDays, wipesWithinDays } = filters
    const second = Math.floor(now / 1000) * 1000
    const wipedDays = Math.min(justWiped ? options.settings.JUST_WIPED_DAYS : Infinity, wipedWithinDays ?? Infinity)
    return {
      ...filters,
      createdSince: createdWithinDays === undefined ? undefined : second - createdWithinDays * DAY_MS,
      wipedSince: wipedDays === Infinity ? undefined : second - wipedDays * DAY_MS,
      wipesBetween: wipesWithinDays === undefined ? undefined : ([second, second + wipesWithinDays * DAY_MS] as const),
    }
  }

  /** @throws ApiError 400 if the cursor belongs to another list */
  function listQuery(asked: z.output<typeof ServersQuery>, now: number): DirectoryQuery {
    const { cursor, fields: _fields, page = 1, sortBy: givenSortBy, sortOrder, seed, ...filters } = asked
    const byRelevance = Boolean(filters.q) && givenSortBy === undefined
    const sortBy = givenSortBy ?? 'totalVotes'
    const query: DirectoryQuery = {
      ...withTimes(filters, now),
      byRelevance,
      sortBy: sortBy === 'random' ? (`random ${seedNumber(seed ?? '')}` as const) : sortBy,
      sortOrder: (byRelevance ? undefined : sortOrder) ?? (ASCENDING.has(sortBy) ? 'asc' : 'desc'),
      page: cursor === undefined ? page : undefined,
      after: cursor?.position,
    }
    const hasNames = sortBy === 'name'
    if (cursor && (!belongsTo(cursor, query) || (typeof cursor.position.value === 'string') !== hasNames))
      throw cursorOfAnotherList()
    return query
  }

  return {
    requireFresh,
    find,
    /** @throws ApiError like `find` */
    brief(id: string): Brief {
      const { snapshot, slot } = find(id)
      return briefOf(snapshot, slot)
    },
    /** @throws ApiError like `find` */
    maxPlayersOf(id: string): number {
      const { snapshot, slot } = find(id)
      return int32At(snapshot.columns.maxPlayers, slot)
    },
    publicList(asked: z.output<typeof PublicServersQuery>, compressed: boolean): RenderedJson {
      const { snapshot, now } = requireFresh()
      const request = { snapshot, asked, fields: 'public', now, compressed } as const
      return pages.get(request, () => ({ ...asked, sortBy: 'totalVotes', sortOrder: 'desc' }))
    },
    /**
     * @throws ApiError 400 also if the cursor belongs to a list with other filters or another order; 503 also if
     * recent votes can't be read
     */
    list(asked: z.output<typeof ServersQuery>, compressed: boolean): RenderedJson {
      const { snapshot, now } = requireFresh()
      const { cursor, fields, sortBy } = asked
      if (sortBy === 'recentVotes') {
        if (!options.trending.isCurrent())
          throw unavailable('The votes of the last day can’t be read. Try again shortly.', RETRY_AFTER_SECONDS)
        options.trending.show(snapshot)
      }
      const isRare = cursor !== undefined || fields !== undefined
      const request = { snapshot, asked, fields: fields ?? ('full' as const), isRare, now, compressed }
      return pages.get(request, () => listQuery(asked, now))
    },
    /** Counts the matching servers by game, map, region, country, mode, tag and ownership. */
    facets(filters: z.output<typeof FacetsQuery>): RenderedJson {
      const { snapshot, now } = requireFresh()
      const query = { ...withTimes(filters, now), sortBy: 'totalVotes', sortOrder: 'desc', limit: 1 } as const
      return facets(snapshot, query, now)
    },
    /**
     * Loads what the order and fields need and the snapshot lacks; undefined: nothing to wait for.
     * Await it before `list`.
     */
    prepare({ sortBy, fields }: Pick<z.output<typeof ServersQuery>, 'sortBy' | 'fields'>): Promise<void> | undefined {
      // Both load in the background; the reply to this request has only what is already loaded.
      if (fields?.includes('playersByHour')) options.playerHours.refresh()
      if (fields?.includes('standing')) options.previousPlaces.refresh()
      return sortBy === 'recentVotes' ? options.trending.ready(() => requireFresh().snapshot, LISTS_WAIT_MS) : undefined
    },
    /** @throws ApiError like `find` */
    publicDetail(id: string): RenderedJson {
      const { snapshot, slot } = find(id)
      return renderPublicDetail(snapshot, slot)
    },
    /** @throws ApiError like `find` */
    detail(id: string): RenderedJson {
      const { snapshot, slot, now } = find(id)
      return renderDetail(snapshot, slot, now)
    },
    stats: () => renderStats(requireFresh().snapshot),
    standings: monthlyStandings,
    /** Listed servers and their players by game type. */
    totalsByGame: () => totalsBy(({ games }) => games),
    /** Listed servers and their players by country; a server whose country is unknown is not counted. */
    totalsByCountry: () => totalsBy(({ geography }) => geography.countries),
  }
}

export function briefOf({ records, columns, online, maps }: Snapshot, slot: number): Brief {
  const { id, name, gameName, connectAddress, ipAddress, gamePort } = readRecord(records, slot)
  return {
    id,
    name,
    gameName,
    connectAddress,
    ipAddress,
    gamePort,
    currentPlayers: int32At(columns.currentPlayers, slot),
    maxPlayers: int32At(columns.maxPlayers, slot),
    isOnline: hasSlot(online, slot),
    map: maps.textOf(slot),
  }
}

function totalOf(posting: Posting, { currentPlayers }: Columns): { servers: number; players: number } {
  let players = 0
  for (const slot of membersOf(posting)) players += int32At(currentPlayers, slot)
  return { servers: posting.size, players }
}
