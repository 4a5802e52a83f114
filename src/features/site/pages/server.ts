// The page of a server, which vote plugins link to.
import { type ServerData, serverView } from '../components/server.ts'
import { addressOf, serverPath } from '../components/server-row.ts'
import { page } from '../page.ts'

export const serverPage = page({
  path: '/servers/{id}',
  texts: ['server', 'directory'],
  shared: true,
  script: 'server.ts',
  async data({ api, params: { id = '' } }): Promise<ServerData> {
    return { server: await api.get('/servers/{id}', { path: { id } }) }
  },
  head(_locale, { server }, origin) {
    const { id, name, gameName, map, description } = server
    const facts = [gameName, map, addressOf(server)].filter(Boolean).join(' · ')
    return {
      title: name,
      description: description || `${name}: ${facts}`,
      canonical: serverPath(id),
      image: `/api/servers/${id}/banner.svg`,
      jsonLd: {
        '@context': 'https://schema.org',
        '@type': 'GameServer',
        name,
        url: origin + serverPath(id),
        description,
        game: { '@type': 'VideoGame', name: gameName },
        playersOnline: server.currentPlayers,
        serverStatus: `https://schema.org/${server.isOnline ? 'Online' : 'OfflinePermanently'}`,
      },
    }
  },
  view: serverView,
})
