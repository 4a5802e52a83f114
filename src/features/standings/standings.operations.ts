// Standings of months: the running one from memory, finished ones by the places that were written after they ended.
import type { Clock } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { createMemo } from '../../platform/memo.ts'
import { monthBefore, monthOfTime } from '../../platform/months.ts'
import type { Brief, Directory } from '../directory/index.ts'
import { listedServer, ServerIdParams } from '../servers/index.ts'
import { ServerStandings, Standings, StandingsQuery } from './standings.schema.ts'
import {
  findBestMonths,
  findCountedMonths,
  findMonth,
  findPlaces,
  findPlacesNow,
  isRanked,
  rankMonthNow,
} from './standings.sql.ts'

interface StandingsOptions {
  directory: Pick<Directory, 'lookup'>
  clock: Clock
}

const common = { method: 'get', tag: 'Directory', crossOrigin: true } as const
/** Pages of finished months, and places in them; a minute, so that an operator's corrections are seen. */
const KEPT = { max: 1_000 }
const KEPT_MS = 60_000

const firstDayOf = (month: string) => `${month}-01`

export function standingsOperations({ directory: { lookup }, clock }: StandingsOptions) {
  const memoMonth = createMemo<Awaited<ReturnType<typeof findMonth>>>(KEPT, { ttlMs: KEPT_MS, clock })
  const memoCounted = createMemo<Set<string>>({ max: 1 }, { ttlMs: KEPT_MS, clock })
  const memoRanked = createMemo<{ isRanked: boolean }>(KEPT, { ttlMs: KEPT_MS, clock })
  const memoPlaces = createMemo<Map<string, number>>(KEPT, { ttlMs: KEPT_MS, clock })

  /** @returns null if it is not listed */
  function briefOf(id: string): Omit<Brief, 'gameName' | 'connectAddress'> | null {
    try {
      const { gameName: _gameName, connectAddress: _connectAddress, ...brief } = lookup.brief(id)
      return brief
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  }

  /** @param month that has ended */
  async function isRankedMonth(db: Db, month: string): Promise<boolean> {
    // One reading of the counters for all months.
    const counted = await memoCounted('', () => findCountedMonths(db))
    if (counted.has(firstDayOf(month))) return false
    return (await memoRanked(month, async () => ({ isRanked: await isRanked(db, firstDayOf(month)) }))).isRanked
  }

  async function placesBefore(db: Db, month: string, game: string | null, ids: readonly string[]) {
    if (ids.length === 0) return new Map<string, number>()
    const before = monthBefore(month)
    const find = (await isRankedMonth(db, before)) ? findPlaces : findPlacesNow
    return memoPlaces(`${month} ${game} ${ids.join()}`, () => find(db, firstDayOf(before), game, ids))
  }

  async function finished(db: Db, month: string, range: { game: string | null; offset: number; limit: number }) {
    const find = (await isRankedMonth(db, month)) ? findMonth : rankMonthNow
    return memoMonth(JSON.stringify([month, range]), () => find(db, { month: firstDayOf(month), ...range }))
  }

  return [
    operation({
      ...common,
      path: '/standings',
      operationId: 'listStandings',
      summary: 'List the servers with the most votes in a month',
      description:
        'Votes for servers that left the directory since, or changed their game, change nothing in a finished month: its places stay, unless ' +
        'votes of it are voided (`correctedAt`).',
      query: StandingsQuery,
      returns: Standings,
      async handle({ db, query }) {
        const { snapshot, now } = lookup.requireFresh()
        const running = monthOfTime(now)
        const { month = running, game = null } = query
        const from = offsetOf(query)
        const page = { game: game ?? undefined, from, to: from + query.limit }
        const { total, correctedAt, standings } =
          month === running
            ? { correctedAt: null, ...lookup.standings(snapshot, page) }
            : await finished(db, month, { game, offset: from, limit: query.limit })
        const before = await placesBefore(
          db,
          month,
          game,
          standings.map(({ serverId }) => serverId),
        )
        return {
          month,
          isRunning: month === running,
          correctedAt,
          standings: standings.map(({ serverId, place, votes }) => ({
            place,
            previousPlace: before.get(serverId) ?? null,
            votes,
            server: briefOf(serverId),
          })),
          pagination: paginationOf(query, total),
        }
      },
    }),
    operation({
      ...common,
      path: '/servers/{id}/standings',
      operationId: 'listServerStandings',
      summary: 'List the months in which a server had its best places',
      params: ServerIdParams,
      resource: listedServer(),
      returns: ServerStandings,
      handle: async ({ db, serverId }) => ({ standings: await findBestMonths(db, serverId) }),
    }),
  ]
}
