// Lists of all servers of a game from its publisher: those that polls look their servers up in.
import { PUBLISHERS_LISTS, type PublishersList } from '../../../src/features/discovery/index.ts'
import { games } from '../../../src/features/games/index.ts'
import { type PublicLists, publicLists } from '../../polling/public-lists.ts'
import type { Source } from '../source.ts'

/** New servers appear within it; known ones are polled each minute. */
const INTERVAL_SECONDS = 600
const MAX_SERVERS = 50_000

export function publishersList(name: PublishersList, lists: PublicLists = publicLists): Source {
  const game = PUBLISHERS_LISTS[name]
  return {
    name,
    games: [game],
    intervalSeconds: INTERVAL_SECONDS,
    maxServers: MAX_SERVERS,
    async *found() {
      const list = await lists.of(games[game]?.protocol ?? '')
      if (!list) throw new Error(`${name} has no list`)
      if ('error' in list) throw new Error(list.error)
      for (const { host, port, name } of list.servers()) yield { game, host, gamePort: port, name }
    },
  }
}
