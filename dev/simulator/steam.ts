// Stands in for Steam's IGameServersService/GetServerList: understands filters, and cuts answers without saying so.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fields of the public documentation that matter here. */
export interface SteamRow {
  addr: string
  gameport: number
  name: string
  appid: number
  players: number
  max_players: number
  map: string
  secure: boolean
  os: 'l' | 'w'
}

/** @param index makes rows that differ in all that filters can select */
export const steamRow = (index: number, addr: string, appid = 252_490): SteamRow => ({
  addr,
  gameport: 28_015 + (index % 100),
  name: `Steam server ${index}`,
  appid,
  players: index % 3 ? index % 50 : 0,
  max_players: index % 7 ? 50 : index % 50,
  map: ['Procedural Map', 'Barren', 'HapisIsland', 'Savas'][index % 4] ?? '',
  secure: index % 5 > 0,
  os: index % 2 ? 'l' : 'w',
})

const CONDITIONS: Record<string, (row: SteamRow, value: string) => boolean> = {
  appid: (row, value) => row.appid === Number(value),
  dedicated: () => true,
  empty: ({ players }) => players > 0,
  noplayers: ({ players }) => players === 0,
  full: ({ players, max_players }) => players < max_players,
  linux: ({ os }) => os === 'l',
  secure: ({ secure }) => secure,
  password: () => true,
  map: ({ map }, value) => map === value,
}

/** `\a\1\nor\1\b\2`: all conditions but those that `nor` takes away. */
function matches(row: SteamRow, filter: string): boolean {
  const words = filter.split('\\').slice(1)
  for (let at = 0; at < words.length; at += 2) {
    const isExcluded = words[at] === 'nor'
    if (isExcluded) at += 2
    const condition = CONDITIONS[words[at] ?? '']
    if (!condition) throw new Error(`Steam has no filter ${words[at]}`)
    if (condition(row, words[at + 1] ?? '') === isExcluded) return false
  }
  return true
}

export interface SteamState {
  rows: SteamRow[]
  /** Of every answer. */
  status: number
  /** Rows of the longest answer. */
  cutAt: number
  /** Of the questions so far. */
  filters: string[]
}

/** @param key the only one that is accepted */
export async function startSteam(key: string, { rows = [] as SteamRow[], cutAt = 10_000 } = {}) {
  const state: SteamState = { rows, status: 200, cutAt, filters: [] }
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://steam')
    const filter = searchParams.get('filter') ?? ''
    state.filters.push(filter)
    res.statusCode = req.headers['x-webapi-key'] === key ? state.status : 403
    if (res.statusCode !== 200 || pathname !== '/IGameServersService/GetServerList/v1/') return void res.end('<html>')
    const limit = Math.min(state.cutAt, Number(searchParams.get('limit')))
    const servers = state.rows.filter((row) => matches(row, filter)).slice(0, limit)
    res.end(JSON.stringify({ response: servers.length ? { servers } : {} }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}
