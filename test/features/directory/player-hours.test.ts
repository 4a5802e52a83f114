// `fields=playersByHour`: players of the last 24 hours, read hour by hour beside the requests.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPlayerHours } from '../../../src/features/directory/engine/player-hours.ts'
import { createPlayerHoursLoader } from '../../../src/features/directory/engine/player-hours-loader.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { forgetHistory, HOUR } from '../history/samples.ts'
import { createDice } from './dice.ts'
import { modelServer, serverRow } from './model.ts'
import { insertServer } from './rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12, 30)
const END = Date.UTC(2026, 10, 20, 12)
let now = NOW
const api = await startTestApi({ clock: () => now })
const { pool } = api.database

beforeEach(() => {
  now += HOUR * 24 * 7 // each test its own week: hours are looked for once a minute
})
afterEach(() => forgetHistory(pool))

const end = () => now - (NOW - END)

async function rollUp(hours: { id: string; ago: number; sum: number; answered: number }[]): Promise<void> {
  for (const { id, ago, sum, answered } of hours)
    await pool.query('insert into player_history_hours values ($1, $2, 60, $3, $4, $4, 90)', [
      id,
      new Date(end() - ago * HOUR),
      answered,
      sum,
    ])
  await pool.query('update player_history_progress set rolled_to = $1', [new Date(end())])
}

async function linesOf(...ids: string[]): Promise<unknown[]> {
  const reply = await api.request('/api/servers?fields=id,playersByHour&limit=100')
  const { servers } = (await reply.json()) as { servers: { id: string; playersByHour: unknown }[] }
  return ids.map((id) => servers.find((server) => server.id === id)?.playersByHour)
}

const NONE = Array.from({ length: 24 }, () => null)

describe('playersByHour', () => {
  it('is the average of answered polls by hour, oldest first, null without any, and not in items that did not select it', async () => {
    const [busy, quiet] = [await insertServer(pool), await insertServer(pool)]
    await api.directory.refresh()
    await rollUp([
      { id: busy, ago: 1, sum: 104, answered: 40 },
      { id: busy, ago: 2, sum: 0, answered: 60 },
      { id: busy, ago: 3, sum: 0, answered: 0 },
      { id: busy, ago: 24, sum: 60 * 80_000, answered: 60 },
      { id: busy, ago: 25, sum: 600, answered: 60 },
    ])
    await expect.poll(() => linesOf(busy)).toEqual([[65_534, ...NONE.slice(4), null, 0, 3]])
    expect(await linesOf(quiet)).toEqual([NONE])
    const whole = (await (await api.request('/api/servers')).json()) as { servers: object[] }
    for (const server of whole.servers) expect(server).not.toHaveProperty('playersByHour')
  })

  it('moves with the time, and a new hour is added within a minute of its roll-up', async () => {
    const id = await insertServer(pool)
    await api.directory.refresh()
    await rollUp([{ id, ago: 1, sum: 60, answered: 60 }])
    await expect.poll(() => linesOf(id)).toEqual([[...NONE.slice(1), 1]])
    now += HOUR
    await expect.poll(() => linesOf(id)).toEqual([[...NONE.slice(2), 1, null]])
    await rollUp([{ id, ago: 1, sum: 120, answered: 60 }])
    now += 60_000
    await expect.poll(() => linesOf(id)).toEqual([[...NONE.slice(2), 1, 2]])
  })

  it('of a server that left is not shown for another one in its place', async () => {
    const id = await insertServer(pool)
    await api.directory.refresh()
    await rollUp([{ id, ago: 1, sum: 60, answered: 60 }])
    await expect.poll(() => linesOf(id)).toEqual([[...NONE.slice(1), 1]])
    await pool.query('update servers set deleted_at = now() where id = $1', [id])
    await api.directory.refresh()
    const next = await insertServer(pool)
    await api.directory.refresh()
    expect(await linesOf(next)).toEqual([NONE])
  })

  it('of a server that was hidden, and comes back in another place, is read within a minute', async () => {
    const id = await insertServer(pool)
    await api.directory.refresh()
    await rollUp([{ id, ago: 1, sum: 60, answered: 60 }])
    await expect.poll(() => linesOf(id)).toEqual([[...NONE.slice(1), 1]])
    await pool.query('update servers set hidden_at = now() where id = $1', [id])
    await api.directory.refresh()
    for (const _ of [1, 2]) await insertServer(pool)
    await api.directory.refresh()
    await pool.query('update servers set hidden_at = null where id = $1', [id])
    await api.directory.refresh()
    now += 60_000
    await expect.poll(() => linesOf(id)).toEqual([[...NONE.slice(1), 1]])
  })

  it('is a line on the site once two hours are known, with a gap and a text', async () => {
    const id = await insertServer(pool, { name: 'With a line' })
    await api.directory.refresh()
    await rollUp([
      { id, ago: 1, sum: 600, answered: 60 },
      { id, ago: 2, sum: 300, answered: 60 },
      { id, ago: 4, sum: 0, answered: 60 },
    ])
    const row = async () => /<li[^>]*>(?:(?!<\/li>).)*With a line.*?<\/li>/s.exec(await page())?.[0] ?? ''
    const page = async () => {
      now += 1_000 // a page that changes is rendered once a second
      return (await fetch(`${api.url}/?sortBy=name&q=line`, { headers: { accept: 'text/html' } })).text()
    }
    await expect.poll(row).toContain('d="M80 22h0M88 12h0L92 2"')
    expect(await row()).toContain('aria-label="Players in the last 24 hours: 0 to 10"')
  })
})

it('hours are stored as the plainest model stores them, through gaps, repeats and servers that leave', () => {
  const dice = createDice(3)
  const hours = createPlayerHours(() => 40)
  const model = new Map<number, Map<number, number>>()
  let hour = 1000
  for (let step = 0; step < 5_000; step++) {
    if (dice.below(20) === 0) hour += 1 + dice.below(dice.below(10) === 0 ? 40 : 2)
    const at = hour - dice.below(24)
    const slot = dice.below(40)
    if (dice.below(30) === 0) {
      hours.clear(slot)
      for (const ofHour of model.values()) ofHour.delete(slot)
    } else {
      if (!hours.has(at * HOUR)) {
        hours.begin(at * HOUR)
        model.delete(at - 24)
        model.set(at, new Map())
      }
      const players = dice.below(100)
      hours.set(at * HOUR, slot, players)
      model.get(at)?.set(slot, players)
    }
    const expected = NONE.map((_, index) => model.get(hour - 23 + index)?.get(slot) ?? null)
    expect(hours.of(slot, (hour + 1) * HOUR + 1)).toEqual(expected)
  }
})

it('an hour that can’t be read whole is read again; replies do not wait for it', async () => {
  const snapshot = createSnapshot(NOW)
  const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
  for (let n = 0; n < 5_001; n++) snapshot.applyServer(serverRow(modelServer({ id: idOf(n) }), n + 1))
  let time = NOW
  let fails = true
  const loader = createPlayerHoursLoader(
    {
      completeTo: async () => new Date(END),
      async playersOfHour({ hour, after, limit }) {
        if (after !== null && fails) throw new Error('the connection is gone')
        if (hour.getTime() !== END - HOUR) return []
        const from = after === null ? 0 : Number(after.slice(-12)) + 1
        const ids = Array.from({ length: 5_001 }, (_, n) => idOf(n)).slice(from, from + limit)
        return ids.map((serverId) => ({ serverId, players: 7 }))
      },
      playersByHour: async () => ({ rows: [] }),
    },
    { current: () => snapshot, clock: () => time, log: testLog },
  )
  const last = (n: number) => snapshot.playerHours.of(snapshot.slotOf(idOf(n)) ?? -1, NOW).at(-1)
  loader.refresh()
  await expect.poll(() => snapshot.playerHours.has(END - HOUR)).toBe(false)
  expect([last(0), last(5_000)]).toEqual([null, null])
  fails = false
  time += 60_000
  await expect
    .poll(() => {
      loader.refresh()
      return [last(0), last(5_000)]
    })
    .toEqual([7, 7])
  await loader.stop()
})
