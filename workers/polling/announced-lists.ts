// Publishers' lists, and for Luanti what servers announced to this directory: for those that the publisher's list does
// not have.
import { LRUCache } from 'lru-cache'
import type { Deps } from '../../src/deps.ts'
import { ANNOUNCEMENTS, findAnnounced, PUBLISHERS_LISTS } from '../../src/features/discovery/index.ts'
import { fieldsOf } from './fields.ts'
import { readServerList, type ServerList } from './list-formats.ts'
import { ANNOUNCED_HERE } from './luanti-hello.ts'
import { type PublicList, type PublicLists, publicLists } from './public-lists.ts'

const LUANTI = PUBLISHERS_LISTS.luanti
/** A million bytes or two. */
const MAX_ANNOUNCED = 2_000
const FRESH_MS = 10_000

/** The lists of a worker: one per process, so that its parts share what was downloaded and read. */
export function listsOf({ settings, pool }: Pick<Deps, 'settings' | 'pool'>, lists = publicLists): PublicLists {
  if (!settings.DISCOVER.includes(ANNOUNCEMENTS)) return lists
  const announced = new LRUCache<typeof LUANTI, ServerList>({
    max: 1,
    ttl: FRESH_MS,
    fetchMethod: async () => announcedList(await findAnnounced(pool, LUANTI, MAX_ANNOUNCED)),
  })
  return {
    of(protocol) {
      const list = lists.of(protocol)
      return protocol === LUANTI && list ? withAnnounced(list, announced.forceFetch(LUANTI)) : list
    },
  }
}

/** @param entries in the form of the publisher's list */
export function announcedList(entries: readonly object[]): ServerList {
  const list = readServerList(LUANTI, { list: entries })
  if (!list) throw new Error('announcements are not a list')
  return {
    isEmpty: list.isEmpty,
    servers: list.servers,
    find(hosts, target) {
      const content = list.find(hosts, target)
      return content && { ...fieldsOf(content), [ANNOUNCED_HERE]: true }
    },
  }
}

/**
 * The publisher's list comes first: another customer of the same host can't change what it says. While the
 * announcements can't be read, a server that it does not have may still be announced, so the list is incomplete.
 */
async function withAnnounced(listing: Promise<PublicList>, announcing: Promise<ServerList>): Promise<PublicList> {
  const unread = (error: Error): PublicList => ({ error: `announcements can’t be read: ${error.message}` })
  const [list, announced] = await Promise.all([listing, announcing.catch(unread)])
  const find: ServerList['find'] = (hosts, target) => list.find?.(hosts, target) ?? announced.find?.(hosts, target)
  return 'error' in announced ? { error: announced.error, find } : { ...list, find }
}
