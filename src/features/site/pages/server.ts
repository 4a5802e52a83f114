// The page of a server, which vote plugins link to.

import { gamePath, joinRequirement } from '../../games/index.ts'
import { CARD_SIZE } from '../../widgets/index.ts'
import type { Client } from '../components/client.ts'
import { rangeOf } from '../components/player-chart.ts'
import { rankedOf } from '../components/rank.ts'
import { type ServerData, serverView } from '../components/server.ts'
import { serverPath } from '../components/server-parts.ts'
import { ROW_FIELDS, type Row, type ServerDetail } from '../components/types.ts'
import { htmlOf, plainTextOf } from '../markdown.ts'
import { styledMotd } from '../motd.ts'
import { fallbackOn, PermanentRedirect, page } from '../page.ts'
import { remindByMail, submitVote, VOTE_PARAMETERS, VOTE_RESULTS, votingOf } from './vote.ts'

const cardPath = (id: string) => `/api/servers/${id}/card.png`

export const serverPage = page({
  path: '/servers/{id}',
  texts: ['server', 'vote', 'directory', 'forms', 'rank'],
  shared: true,
  results: VOTE_RESULTS,
  countsViews: true,
  query: ['range', 'done', ...VOTE_PARAMETERS],
  script: 'server.ts',
  async data(input): Promise<ServerData> {
    const { api, params, query, origin, refused, once, serverIdOf, locale } = input
    const cursor = input.cursor()
    const path = { id: serverIdOf(params.id) }
    const server = await api.get('/servers/{id}', { path })
    if (!refused && !once && serverPath(server) !== `/servers/${params.id}`)
      throw new PermanentRedirect(serverPath(server))
    const ranked = rankedOf(locale, await api.get('/servers/{id}/rank', { path }))
    const { required: needsProof } = await api.get('/servers/{id}/vote/challenge', { path })
    const { done } = query
    const related = await findRelated(api, server)
    return {
      cursor,
      server,
      gamePath: gamePath(server.game),
      ranked,
      needs: joinRequirement(server.game),
      about: server.selfReported.includes('description') ? '' : htmlOf(server.description),
      motd: styledMotd(server.motdFormatted),
      range: rangeOf(query.range),
      origin,
      now: Date.now(),
      voting: await votingOf(input, server.id),
      needsProof,
      related,
      done: done === 'favorite' || done === 'unfavorite' || done === 'report' ? done : undefined,
      refused: refused && ['vote', 'remind'].includes(refused.form.action ?? '') ? undefined : refused,
    }
  },
  head(_locale, { server, origin }) {
    const { id, name, gameName, map, currentPlayers, isOnline, connectAddress } = server
    const description = plainTextOf(server.description)
    const path = serverPath(server)
    const facts = [gameName, map, connectAddress].filter(Boolean).join(' · ')
    return {
      title: name,
      description: `${facts}. ${description}`.trim(),
      canonical: path,
      image: { path: cardPath(id), ...CARD_SIZE, alt: `${name}, ${gameName}` },
      jsonLd: {
        '@context': 'https://schema.org',
        '@type': 'GameServer',
        name,
        url: origin + path,
        ...(description ? { description } : {}),
        image: origin + cardPath(id),
        game: { '@type': 'VideoGame', name: gameName },
        playersOnline: currentPlayers,
        serverStatus: `https://schema.org/${isOnline ? 'Online' : 'OfflineTemporarily'}`,
      },
    }
  },
  view: serverView,
  async post(input) {
    const { api, params, form, locale, serverIdOf } = input
    const path = { id: serverIdOf(params.id) }
    const here = `/servers/${encodeURIComponent(params.id)}`
    if (form.action === 'favorite') {
      // A favorite needs an account, so without a session the login comes first. Not for a report,
      // whose text would be lost.
      const added = await fallbackOn(401, undefined, api.post('/servers/{id}/favorite', { path }))
      return added ? locale.href(here, { done: 'favorite' }) : locale.href('/login', { next: locale.href(here) })
    }
    if (form.action === 'unfavorite') {
      const removed = await fallbackOn(401, undefined, api.delete('/servers/{id}/favorite', { path }))
      return removed ? locale.href(here, { done: 'unfavorite' }) : locale.href('/login', { next: locale.href(here) })
    }
    if (form.action === 'remind') return remindByMail(input, here)
    if (form.action === 'report') {
      const body = { reason: form.reason, details: form.details ?? '' } as { reason: 'other' }
      await api.post('/servers/{id}/reports', { path, body })
      return locale.href(here, { done: 'report' })
    }
    return submitVote(input, here)
  },
})

const MAX_RELATED = 5

/** Other servers of the game: first those with its country and mode, then those of its country, then any. */
async function findRelated(api: Client, { id, game, gameMode, country }: ServerDetail): Promise<Row[]> {
  const find = async (filters: object) => {
    const query = {
      game,
      onlineOnly: 'true' as const,
      fields: ROW_FIELDS.join(','),
      limit: MAX_RELATED + 1,
      ...filters,
    }
    return (await api.get('/servers', { query })).servers as Row[]
  }
  const found = await Promise.all([
    country && gameMode ? find({ country, gameMode }) : [],
    country ? find({ country }) : [],
    find({}),
  ])
  const others = found.flat().filter((server) => server.id !== id)
  return [...new Map(others.map((server) => [server.id, server])).values()].slice(0, MAX_RELATED)
}
