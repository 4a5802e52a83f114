// The page of a server, which vote plugins link to.

import { gamePath, joinNeeds } from '../../games/index.ts'
import { CARD_SIZE } from '../../widgets/index.ts'
import { rangeOf } from '../components/player-chart.ts'
import { type ServerData, serverView } from '../components/server.ts'
import { serverPath } from '../components/server-parts.ts'
import { styledMotd } from '../motd.ts'
import { fallbackOn, Moved, page } from '../page.ts'
import { submitVote, VOTE_PARAMETERS, votingOf } from './vote.ts'

const cardPath = (id: string) => `/api/servers/${id}/card.png`

export const serverPage = page({
  path: '/servers/{id}',
  texts: ['server', 'directory', 'forms', 'rank'],
  shared: true,
  query: ['range', ...VOTE_PARAMETERS],
  script: 'server.ts',
  async data({ api, cursor: position, params, query, origin, refused, serverIdOf }): Promise<ServerData> {
    const cursor = position()
    const path = { id: serverIdOf(params.id) }
    const server = await api.get('/servers/{id}', { path })
    if (!refused && serverPath(server) !== `/servers/${params.id}`) throw new Moved(serverPath(server))
    const ranked = await api.get('/servers/{id}/rank', { path })
    const { required: needsProof } = await api.get('/servers/{id}/vote/challenge', { path })
    const { done } = query
    return {
      cursor,
      server,
      gamePath: gamePath(server.game),
      ranked,
      needs: joinNeeds(server.game),
      motd: styledMotd(server.motdFormatted),
      range: rangeOf(query.range),
      origin,
      now: Date.now(),
      voting: votingOf(query, refused),
      needsProof,
      done: done === 'favorite' || done === 'report' ? done : undefined,
      refused: refused?.form.action === 'vote' ? undefined : refused,
    }
  },
  head(_locale, { server, origin }) {
    const { id, name, gameName, map, description, currentPlayers, isOnline, connectAddress } = server
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
  async post({ api, params, form, visitor, locale, serverIdOf }) {
    const path = { id: serverIdOf(params.id) }
    const here = `/servers/${encodeURIComponent(params.id)}`
    if (form.action === 'favorite') {
      // Favorites belong to an account. Reports too, but the login would lose the text.
      const added = await fallbackOn(401, undefined, api.post('/servers/{id}/favorite', { path }))
      return added ? locale.href(here, { done: 'favorite' }) : locale.href('/login', { next: here })
    }
    if (form.action === 'report') {
      const body = { reason: form.reason, details: form.details ?? '' } as { reason: 'other' }
      await api.post('/servers/{id}/reports', { path, body })
      return locale.href(here, { done: 'report' })
    }
    return locale.href(here, { done: await submitVote({ api, params, form, visitor, serverIdOf }) })
  },
})
