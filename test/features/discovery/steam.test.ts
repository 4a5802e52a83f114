// The source of Steam's list: split until no answer is cut, and as careful with faults as all sources.
import { Writable } from 'node:stream'
import pino from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { startFleet } from '../../../dev/simulator/fleet.ts'
import { startSteam, steamRow } from '../../../dev/simulator/steam.ts'
import { findSourceStates, listSources } from '../../../src/features/discovery/index.ts'
import { createDiscoverer } from '../../../workers/discovery/discovery.handler.ts'
import { steamList } from '../../../workers/discovery/sources/steam.ts'
import { startTestApi } from '../../support/api.ts'
import { atFileEnd } from '../../support/at-file-end.ts'
import { emptyTables } from '../../support/database.ts'
import { createTestDirectory, createTestPoller } from '../../workers/polling/support.ts'

const KEY = 'A0B1C2D3E4F5A0B1C2D3E4F5A0B1C2D3'
const steam = await startSteam(KEY)
atFileEnd(() => steam.close())
const lines: string[] = []
const log = pino({ level: 'trace' }, new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }))
const api = await startTestApi({
  log,
  settings: { DISCOVER: 'steam:rust', STEAM_WEB_API_KEY: KEY, STEAM_API_BASE_URL: steam.origin },
})
const { pool } = api.database
const { signal } = new AbortController()
const discovererOf = (settings: object = {}) =>
  createDiscoverer({ ...api.deps, settings: { ...api.deps.settings, ...settings } })
const discoverer = discovererOf()
atFileEnd(() => discoverer.close())
const run = () => discoverer.handle({ source: 'steam:rust' }, signal)
const state = async () => (await findSourceStates(pool))[0]

beforeEach(async () => {
  await emptyTables(pool, 'servers', 'discovery_sources')
  Object.assign(steam.state, { rows: [], status: 200, cutAt: 10_000, filters: [] })
})

describe('the source', () => {
  const list = (wholeRows: number) =>
    steamList('steam:rust', { game: 'rust', appId: 252_490 }, api.deps.settings, { maxRows: wholeRows * 2, wholeRows })

  it('splits its question until no answer can be cut, and has each server once', async () => {
    const addresses = Array.from({ length: 6_000 }, (_, n) => `198.51.${n >> 8}.${n & 255}:${28_016 + (n % 100)}`)
    steam.state.rows = addresses.map((addr, n) => steamRow(n, addr))
    steam.state.cutAt = 1_000
    const all = await Array.fromAsync(list(900).found(signal))
    expect(all.map(({ host, queryPort }) => `${host}:${queryPort}`).sort()).toEqual(addresses.sort())
    expect(all[0]).toMatchObject({ game: 'rust', name: expect.stringMatching(/^Steam server/) })
    expect(steam.state.filters.length).toBeLessThan(30)
    expect(steam.state.filters[0]).toBe('\\appid\\252490\\dedicated\\1')
  })

  it('leaves out rows without an address, and takes the query port for a game port that is missing', async () => {
    const row = steamRow(1, '198.51.100.1:27015')
    steam.state.rows = [
      { ...row, gameport: 0, name: 'A\u0007\u202eB' },
      { ...row, addr: 'nowhere' },
      { ...row, addr: '198.51.100.2:99999' },
    ]
    expect(await Array.fromAsync(list(100).found(signal))).toEqual([
      { game: 'rust', host: '198.51.100.1', gamePort: 27_015, queryPort: 27_015, name: 'A B' },
    ])
  })
})

describe('a run', () => {
  it('lists what Steam has, of which polls show those online that answer', async () => {
    const directory = await createTestDirectory()
    const fleet = await startFleet({ count: 20 })
    atFileEnd(() => fleet.close())
    const answering = fleet.servers.map(({ address, port }) => `${address}:${port}`)
    const silent = Array.from({ length: 80 }, (_, n) => `127.84.50.${n + 1}:9`)
    steam.state.rows = [...answering, ...silent].map((addr, n) => steamRow(n, addr))
    const finder = createDiscoverer({ ...api.deps, pool: directory.pool })
    await finder.handle({ source: 'steam:rust' }, signal)
    finder.close()
    expect(await directory.count('true')).toBe(100)
    await createTestPoller(directory).cycle()
    expect(await directory.count('is_online')).toBe(20)
  })

  it('of a list that is suddenly empty removes nothing, and is reported', async () => {
    steam.state.rows = Array.from({ length: 30 }, (_, n) => steamRow(n, `198.51.100.${n + 1}:28016`))
    await run()
    steam.state.rows = []
    await run()
    expect(await state()).toMatchObject({ failures: 0, found: 0, missing: 30 })
    const [source] = await listSources(pool, api.deps.settings)
    expect(source).toMatchObject({ verdict: 'failing', listed: 30 })
    expect(source?.advice).toContain('did not find 30 of the 30 servers')
  })

  it.each([429, 503])('that Steam answers with %i removes nothing, and waits longer each time', async (status) => {
    steam.state.rows = [steamRow(1, '198.51.100.1:28016')]
    await run()
    steam.state.status = status
    for (const failures of [1, 2]) {
      await expect(run()).rejects.toThrow(`status ${status}`)
      const after = await state()
      expect(after).toMatchObject({ failures, error: `status ${status}` })
      const waits = (after?.nextRunAt.getTime() ?? 0) - (after?.finishedAt?.getTime() ?? 0)
      expect(waits / 1000).toBeCloseTo(600 * 2 ** failures, 0)
    }
    expect((await pool.query('select from servers where deleted_at is null')).rowCount).toBe(1)
    steam.state.status = 200
    await run()
    expect(await state()).toMatchObject({ failures: 0, error: null, found: 1 })
  })

  it('never logs or stores the key', async () => {
    steam.state.status = 500
    await expect(run()).rejects.not.toThrow(KEY)
    await expect(
      discovererOf({ STEAM_API_BASE_URL: 'http://127.0.0.1:9' }).handle({ source: 'steam:rust' }, signal),
    ).rejects.not.toThrow(KEY)
    expect(JSON.stringify([lines, await findSourceStates(pool)])).not.toContain(KEY)
  })
})

it('DISCOVER needs the key for sources of Steam, and names a game that Steam lists', () => {
  expect(() => discovererOf({ STEAM_WEB_API_KEY: undefined })).toThrow('need STEAM_WEB_API_KEY')
  expect(() => discovererOf({ DISCOVER: ['steam:minecraft'] })).toThrow('DISCOVER has no source steam:minecraft')
})
