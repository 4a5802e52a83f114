// Lists of all servers of a game from its publisher: downloaded at most once a minute for all servers of the game.
import { LRUCache } from 'lru-cache'
import { download } from './download.ts'
import { LIST_FORMATS, type ListProtocol, readServerList, type ServerList } from './list-formats.ts'

/**
 * gamedig's protocols that look a server up in a public list and would download it for each query. A test compares this
 * with gamedig's sources.
 */
export const PUBLIC_LISTS: Readonly<Record<string, string>> = {
  altvmp: 'https://api.alt-mp.com/servers',
  beammp: 'https://backend.beammp.com/servers-info',
  brokeprotocol: 'https://bp.userr00t.com/serverbrowser/api/server?snapshotInterval=1h',
  geneshift: 'http://geneshift.net/game/receiveLobby.php',
  minetest: 'https://servers.minetest.net/list',
  ragemp: 'https://cdn.rage.mp/master/v2/',
  renegadex: 'https://serverlist-rx.totemarts.services/servers.jsp',
  vintagestory: 'https://masterserver.vintagestory.at/api/v1/servers/list',
} satisfies Record<ListProtocol, string>

/** All but this protocol's are JSON. */
const TEXT = new Set(['geneshift'])
const FRESH_MS = 60_000
const TIMEOUT_MS = 10_000
/** The longest known has 2 MB. */
const MAX_BYTES = 8 * 1024 * 1024

/** Or why there is no list, and what is known without it. */
export type PublicList = ServerList | { error: string; find?: ServerList['find'] }

function readList(protocol: ListProtocol, content: unknown): PublicList {
  const list = readServerList(protocol, content)
  if (!list) return { error: 'not a list of servers' }
  // A publisher's service that has just restarted, rather than a game without servers.
  return list.isEmpty ? { error: 'the list has no servers' } : list
}

export interface PublicLists {
  /** @returns undefined if the protocol uses no public list */
  of(protocol: string): Promise<PublicList> | undefined
}

/** Downloads a list when it is first needed and when it is a minute old; failed downloads wait a minute too. */
export function createPublicLists({
  urls = PUBLIC_LISTS,
  now = () => performance.now(),
  timeoutMs = TIMEOUT_MS,
}: {
  urls?: Readonly<Record<string, string>>
  now?: () => number
  timeoutMs?: number
} = {}): PublicLists {
  const lists = new LRUCache<ListProtocol, PublicList>({
    max: Object.keys(urls).length,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: (protocol) =>
      download(urls[protocol] ?? '', { timeoutMs, maxBytes: MAX_BYTES })
        .then((text): unknown => (TEXT.has(protocol) ? text : JSON.parse(text)))
        .then((content) => readList(protocol, content))
        .catch((error: Error) => ({ error: error.message })),
  })
  const isPublished = (protocol: string): protocol is ListProtocol =>
    Object.hasOwn(urls, protocol) && Object.hasOwn(LIST_FORMATS, protocol)
  return { of: (protocol) => (isPublished(protocol) ? lists.forceFetch(protocol) : undefined) }
}

/** One per process, so that polls and claim checks share the downloads. */
export const publicLists = createPublicLists()
