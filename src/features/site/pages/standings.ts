// The servers with the most votes in a month: among all games, and in one game.

import { notFound } from '../../../platform/http/errors.ts'
import { monthFrom, monthOfTime } from '../../../platform/months.ts'
import { withoutUndefined } from '../../../platform/without-undefined.ts'
import { gameName, gameOfSlug, gamePath } from '../../games/index.ts'
import type { Client } from '../components/client.ts'
import { type StandingsData, standingsTitle, standingsView } from '../components/standings.ts'
import { page } from '../page.ts'

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/

async function read(api: Client, month: string, game: string | undefined, number: string | undefined) {
  if (!MONTH.test(month)) throw notFound('No month has this address.')
  const query = withoutUndefined({ month, game, page: number as number | undefined })
  const standings = await api.get('/standings', { query })
  const isLater = !standings.isRunning && month > monthOfTime(Date.now())
  if (isLater) throw notFound('This month has not begun.')
  const near = [-1, 0, ...(standings.isRunning ? [] : [1])].map((by) => monthFrom(month, by))
  return { standings, near: near.filter((month) => MONTH.test(month)) }
}

const common = {
  texts: ['standings'],
  shared: true,
  query: ['page'],
  view: standingsView,
} as const

const headOf = (locale: Parameters<typeof standingsTitle>[0], data: StandingsData) => {
  const { month, standings, pagination } = data.standings
  return {
    title: standingsTitle(locale, data),
    description: locale.say(locale.t.standings.about, { month: locale.month(month) }),
    canonical: `${data.path}/${month}${pagination.page > 1 ? `?page=${pagination.page}` : ''}`,
    noindex: standings.length === 0,
  }
}

export const topPage = page({
  ...common,
  path: '/top/{month}',
  data: async ({ api, params, query }): Promise<StandingsData> => ({
    path: '/top',
    gameName: undefined,
    ...(await read(api, params.month, undefined, query.page)),
  }),
  head: headOf,
})

export const gameTopPage = page({
  ...common,
  path: '/games/{slug}/top/{month}',
  async data({ api, params, query }): Promise<StandingsData> {
    const game = gameOfSlug(params.slug)
    if (game === undefined) throw notFound('No game has this address.')
    return {
      path: `${gamePath(game)}/top`,
      gameName: gameName(game),
      ...(await read(api, params.month, game, query.page)),
    }
  },
  head: headOf,
})
