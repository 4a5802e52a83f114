// Totals of the directory by game and country: now from memory, the last 24 hours from hourly totals.
import type * as z from 'zod'
import type { Clock } from '../../deps.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts'
import { strongEtag } from '../../platform/http/etag.ts'
import { operation } from '../../platform/http/operation.ts'
import { RenderedJson } from '../../platform/http/reply-kinds.ts'
import { createMemo } from '../../platform/memo.ts'
import type { Directory } from '../directory/index.ts'
import { gameName } from '../games/index.ts'
import { findTotals, type HourTotals } from '../history/index.ts'
import { Statistics } from './statistics.schema.ts'

interface StatisticsOptions {
  directory: Pick<Directory, 'lookup'>
  clock: Clock
}

const MAX_AGE_SECONDS = 60
const HOURS = 24
/** An hour's totals are written ten minutes after its end; until 15 minutes after it, `hours` ends an hour earlier. */
const TOTALS_AFTER_MS = 15 * MINUTE_MS

export function statisticsOperations({ directory, clock }: StatisticsOptions) {
  const replies = createMemo<RenderedJson>({ max: 1 }, { ttlMs: MAX_AGE_SECONDS * 1000, clock })
  return [
    operation({
      method: 'get',
      path: '/stats',
      operationId: 'getStatistics',
      tag: 'Directory',
      summary: 'Get totals by game and country, with the last 24 hours',
      description: 'Made at most once a minute. The hours come from hourly totals, which are kept for 32 days.',
      crossOrigin: true,
      returns: Statistics,
      reads: 'standby',
      async handle({ db }) {
        directory.lookup.requireFresh()
        return replies('all', () => render(db, directory, clock()))
      },
    }),
  ]
}

async function render(
  db: Sql,
  { lookup: { requireFresh, totalsByGame, totalsByCountry } }: StatisticsOptions['directory'],
  now: number,
): Promise<RenderedJson> {
  const end = Math.floor((now - TOTALS_AFTER_MS) / HOUR_MS) * HOUR_MS
  const hours = Array.from({ length: HOURS }, (_, index) => new Date(end - (HOURS - index) * HOUR_MS))
  const rows = await findTotals(db, hours[0] ?? new Date(end), new Date(end))
  const players = new Map(rows.map((row) => [keyOf(row), row.players]))
  const playersByHour = ({ game = null, country = null }: Partial<Pick<HourTotals, 'game' | 'country'>> = {}) =>
    hours.map((hour) => players.get(keyOf({ hour, game, country })) ?? null)
  const { snapshot } = requireFresh()
  const statistics: z.output<typeof Statistics> = {
    hours,
    servers: snapshot.taken.size,
    onlineServers: snapshot.online.size,
    players: snapshot.totals().players,
    playersByHour: playersByHour(),
    games: mostFirst(totalsByGame()).map(([game, totals]) => ({
      game,
      gameName: gameName(game),
      ...totals,
      playersByHour: playersByHour({ game }),
    })),
    countries: mostFirst(totalsByCountry()).map(([country, totals]) => ({
      country,
      ...totals,
      playersByHour: playersByHour({ country }),
    })),
  }
  const bytes = Buffer.from(JSON.stringify(Statistics.encode(statistics)))
  return new RenderedJson(bytes, strongEtag(bytes), { maxAgeSeconds: MAX_AGE_SECONDS })
}

const keyOf = ({ hour, game, country }: Pick<HourTotals, 'hour' | 'game' | 'country'>) =>
  `${hour.getTime()} ${game ?? '*'} ${country ?? '*'}`

const mostFirst = (totals: Map<string, { servers: number; players: number }>) =>
  [...totals].sort(
    ([a, one], [b, other]) => other.players - one.players || other.servers - one.servers || (a < b ? -1 : 1),
  )
