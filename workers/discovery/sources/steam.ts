// The servers of a game that Steam lists: IGameServersService/GetServerList, by the game's number.
// https://steamapi.xpaw.me/#IGameServersService/GetServerList, filters:
// https://developer.valvesoftware.com/wiki/Master_Server_Query_Protocol
import type { Settings } from '../../../src/platform/config/settings.ts'
import { download } from '../../polling/download.ts'
import { fieldsOf, isFields } from '../../polling/fields.ts'
import { safeText } from '../../polling/safe-values.ts'
import type { Find, Source } from '../source.ts'

export type SteamSettings = Pick<Settings, 'STEAM_API_BASE_URL' | 'STEAM_WEB_API_KEY'>

/** A key has 100,000 calls a day: 32 games of 15 calls each are 69,120. */
const INTERVAL_SECONDS = 600
const MAX_SERVERS = 100_000
const MAX_ROWS = 20_000
/** Answers are cut at 10,000 to 20,000 rows without saying so. A longer one is taken for cut. */
const WHOLE_ROWS = 9_999
const TIMEOUT_MS = 30_000
/** 20,000 rows have about 8 MB. */
const MAX_BYTES = 32 * 1024 * 1024
/** A run of 100,000 servers needs about 30. */
const MAX_REQUESTS = 100

/** `\\nor\\1` excludes what the next condition selects. */
const not = (condition: string) => `\\nor\\1${condition}`
/** Conditions that split a list in two: servers without players and with some, full ones and others, and so on. */
const SPLITS: readonly (readonly [string, string])[] = [
  ['\\noplayers\\1', '\\empty\\1'],
  ['\\full\\1', not('\\full\\1')],
  ['\\linux\\1', not('\\linux\\1')],
  ['\\secure\\1', not('\\secure\\1')],
  ['\\password\\0', not('\\password\\0')],
]

export function steamList(
  name: string,
  { game, appId }: { game: string; appId: number },
  { STEAM_API_BASE_URL, STEAM_WEB_API_KEY }: SteamSettings,
  /** A test has fewer. */
  { maxRows = MAX_ROWS, wholeRows = WHOLE_ROWS } = {},
): Source {
  async function rowsOf(filter: string, signal: AbortSignal): Promise<unknown[]> {
    const url = new URL(`${STEAM_API_BASE_URL}/IGameServersService/GetServerList/v1/`)
    url.search = new URLSearchParams({ filter, limit: String(maxRows) }).toString()
    // Not in the address, which proxies log.
    const headers = { 'x-webapi-key': STEAM_WEB_API_KEY ?? '' }
    const answer: unknown = JSON.parse(
      await download(url, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal }),
    )
    const { response } = fieldsOf(answer)
    if (!isFields(response)) throw new Error('not a list of servers')
    return Array.isArray(response.servers) ? response.servers : []
  }

  /** Each server once, however many parts have it. */
  async function* found(signal: AbortSignal): AsyncGenerator<Find> {
    const seen = new Set<string>()
    const parts = [{ filter: `\\appid\\${appId}\\dedicated\\1`, splits: 0, maps: [] as string[] }]
    for (let requests = 0; requests < MAX_REQUESTS; requests++) {
      const part = parts.pop()
      if (!part) return
      const rows = await rowsOf(part.filter, signal)
      for (const row of rows) {
        const find = findOf(game, row)
        if (!find) continue
        const key = `${find.host}:${find.queryPort}`
        if (seen.has(key)) continue
        seen.add(key)
        yield find
      }
      if (rows.length <= wholeRows) continue
      const { filter, splits, maps } = part
      const conditions = SPLITS[splits]
      if (conditions)
        for (const condition of conditions) parts.push({ filter: filter + condition, splits: splits + 1, maps })
      else {
        const map = commonestMap(rows, maps)
        // Servers of one map alone can't be split by it.
        if (map !== undefined && rows.some((row) => fieldsOf(row).map !== map))
          for (const condition of [`\\map\\${map}`, not(`\\map\\${map}`)])
            parts.push({ filter: filter + condition, splits, maps: [...maps, map] })
      }
    }
  }

  return { name, games: [game], intervalSeconds: INTERVAL_SECONDS, maxServers: MAX_SERVERS, found }
}

/** @returns undefined for a row without an address and query port */
function findOf(game: string, row: unknown): Find | undefined {
  const { addr, gameport, name } = fieldsOf(row)
  const { host, port } = /^(?<host>[\d.]+):(?<port>\d{1,5})$/.exec(typeof addr === 'string' ? addr : '')?.groups ?? {}
  const queryPort = Number(port)
  if (host === undefined || !(queryPort > 0 && queryPort < 65_536)) return undefined
  const gamePort = typeof gameport === 'number' && gameport > 0 && gameport < 65_536 ? gameport : queryPort
  return { game, host, gamePort, queryPort, name: safeText(name) }
}

/** @returns undefined if there is none that a filter can have and that is not among `used` */
function commonestMap(rows: readonly unknown[], used: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const { map } = fieldsOf(row)
    if (typeof map === 'string' && map && !map.includes('\\') && !used.includes(map))
      counts.set(map, (counts.get(map) ?? 0) + 1)
  }
  return [...counts].reduce<[string | undefined, number]>(
    (best, one) => (one[1] > best[1] ? one : best),
    [undefined, 0],
  )[0]
}
