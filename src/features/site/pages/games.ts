// The pages of games: the list of all, and a page for each with its best, rising and newest servers.
import { notFound } from '../../../platform/http/errors.ts'
import { monthOfTime } from '../../../platform/months.ts'
import { gameOfSlug, gamePath, hasJoinLink, isGameType, joinRequirement } from '../../games/index.ts'
import { type GameData, type GamesData, gamesView, gameView } from '../components/games.ts'
import { serverPath } from '../components/server-parts.ts'
import { ROW_FIELDS, type Row } from '../components/types.ts'
import { fallbackOn, PermanentRedirect, page } from '../page.ts'

export const gamesPage = page({
  path: '/games',
  texts: ['games'],
  shared: true,
  async data({ api }): Promise<GamesData> {
    const { games } = await api.get('/games')
    const listed = games.filter(({ servers }) => servers > 0)
    return { games: listed.map((game) => ({ ...game, path: gamePath(game.id) })) }
  },
  head: ({ t: { games } }) => ({ title: games.title, description: games.about }),
  view: gamesView,
})

/** How many servers each list shows. */
const SHOWN = 5
const SHOWN_COUNTRIES = 12

export const gamePage = page({
  path: '/games/{slug}',
  texts: ['games', 'directory'],
  shared: true,
  script: 'game.ts',
  async data({ api, params: { slug }, origin }): Promise<GameData> {
    const id = gameOfSlug(slug)
    if (id === undefined) {
      if (isGameType(slug)) throw new PermanentRedirect(gamePath(slug))
      throw notFound('No game has this address.')
    }
    const listOf = async (order: object): Promise<Row[]> => {
      const query = { game: id, fields: ROW_FIELDS.join(','), limit: SHOWN, ...order }
      return (await api.get('/servers', { query })).servers as Row[]
    }
    const [{ games }, facets, statistics, best, rising, newest, wiped, next] = await Promise.all([
      api.get('/games'),
      api.get('/servers/facets', { query: { game: id } }),
      fallbackOn(503, undefined, api.get('/stats')),
      listOf({ sortBy: 'score' }),
      listOf({ sortBy: 'recentVotes' }),
      listOf({ sortBy: 'createdAt' }),
      listOf({ sortBy: 'lastWipeAt', justWiped: true }),
      api.get('/servers', {
        query: { game: id, sortBy: 'nextWipeAt', wipesWithinDays: 31, fields: 'id,name,nextWipeAt', limit: SHOWN },
      }),
    ])
    const game = games.find((one) => one.id === id)
    if (!game) throw notFound('No game has this address.')
    const hours = statistics?.games.find((one) => one.game === id)?.playersByHour ?? []
    return {
      game,
      path: gamePath(id),
      month: monthOfTime(Date.now()),
      origin,
      needs: joinRequirement(id),
      hasJoinLink: hasJoinLink(id),
      peak: Math.max(game.players, ...hours.map((players) => players ?? 0)),
      countries: facets.country.slice(0, SHOWN_COUNTRIES),
      lists: { best, rising, newest, wiped },
      wiping: next.servers as GameData['wiping'],
    }
  },
  head(locale, { game, path, origin, lists }) {
    const { games } = locale.t
    const { name, servers, players } = game
    const counts = {
      name,
      servers: locale.say(locale.t.common.servers, { n: servers }),
      players: locale.say(games.playersNow, { n: players }),
    }
    return {
      title: locale.say(games.listTitle, { name }),
      description: locale.say(games.listAbout, counts),
      canonical: path,
      noindex: servers === 0,
      jsonLd: {
        '@context': 'https://schema.org',
        '@type': 'ItemList',
        name: locale.say(games.listTitle, { name }),
        url: origin + path,
        numberOfItems: servers,
        about: { '@type': 'VideoGame', name },
        itemListElement: lists.best.map((server, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: server.name,
          url: origin + serverPath(server),
        })),
      },
    }
  },
  view: gameView,
})
