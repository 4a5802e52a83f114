// When owners say that their servers wipe next: the times that follow, and the lists by them.
import { describe, expect, test } from 'vitest'
import { runWipesNext } from '../../../src/features/wipes/index.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { openAdminBench } from '../admin/support.ts'

const { pool, call, list, api } = await openAdminBench()
const DAY = 24 * 3_600_000

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY).toISOString()

/** A listed server with this schedule. */
async function addServer(wipeSchedule?: object): Promise<{ id: string; owner: Person }> {
  const owner = await addPerson(pool)
  const id = await list(owner, { name: 'An island' })
  if (wipeSchedule) expect(await plan({ id, owner }, wipeSchedule)).toMatchObject({ status: 200 })
  return { id, owner }
}
const plan = ({ id, owner }: { id: string; owner: Person }, wipeSchedule: object | null) =>
  call(owner, 'PATCH', `/servers/${id}`, { wipeSchedule })
const nextWipeOf = async (id: string) => (await call(undefined, 'GET', `/servers/${id}`)).body.nextWipeAt
const idsOf = async (query: string) =>
  ((await call(undefined, 'GET', `/servers?${query}`)).body as { servers: { id: string }[] }).servers.map(
    ({ id }) => id,
  )

describe('the next wipe of a weekly schedule', () => {
  const sunday = { weekday: 'sunday', time: '19:00' }
  test.each([
    ['is on that day', { weekday: 'friday', time: '18:30' }, '2026-03-02T00:00:00Z', '2026-03-06T18:30:00Z'],
    ['is today before the time', sunday, '2026-03-01T18:59:59Z', '2026-03-01T19:00:00Z'],
    ['is in a week at the time', sunday, '2026-03-01T19:00:00Z', '2026-03-08T19:00:00Z'],
    [
      'is by the clocks of its zone',
      { ...sunday, timeZone: 'Europe/Berlin' },
      '2026-03-23T00:00:00Z',
      '2026-03-29T17:00:00Z',
    ],
    [
      'of the week before too',
      { ...sunday, timeZone: 'Europe/Berlin' },
      '2026-03-16T00:00:00Z',
      '2026-03-22T18:00:00Z',
    ],
    [
      'is of a day that has begun there',
      { weekday: 'monday', time: '00:30', timeZone: 'Pacific/Auckland' },
      '2026-03-01T11:00:00Z',
      '2026-03-01T11:30:00Z',
    ],
    [
      'is in the summer time of CET',
      { weekday: 'thursday', time: '19:00', timeZone: 'CET' },
      '2026-07-01T00:00:00Z',
      '2026-07-02T17:00:00Z',
    ],
    [
      'is in the summer time of met',
      { weekday: 'thursday', time: '19:00', timeZone: 'met' },
      '2026-07-01T00:00:00Z',
      '2026-07-02T17:00:00Z',
    ],
    [
      'is in the summer time of EET',
      { weekday: 'thursday', time: '19:00', timeZone: 'EET' },
      '2026-07-01T00:00:00Z',
      '2026-07-02T16:00:00Z',
    ],
    [
      'is in the summer time of WET',
      { weekday: 'thursday', time: '19:00', timeZone: 'WET' },
      '2026-07-01T00:00:00Z',
      '2026-07-02T18:00:00Z',
    ],
    [
      'is in the winter time of CET',
      { weekday: 'thursday', time: '19:00', timeZone: 'CET' },
      '2026-01-01T00:00:00Z',
      '2026-01-01T18:00:00Z',
    ],
  ])('%s', async (_what, schedule, after, expected) => {
    const { rows } = await pool.query('select next_wipe($1, $2) as at', [schedule, after])
    expect(rows[0].at).toEqual(new Date(expected))
  })
})

test('an owner states a schedule, sees it, and takes it back', async () => {
  const server = await addServer()
  expect(await nextWipeOf(server.id)).toBe(null)
  const at = inDays(3)
  expect((await plan(server, { at })).body).toMatchObject({ nextWipeAt: at })
  expect(await nextWipeOf(server.id)).toBe(at)
  expect((await call(server.owner, 'GET', `/servers/${server.id}/listing`)).body).toMatchObject({
    wipeSchedule: { at },
  })
  expect((await plan(server, { weekday: 'friday', time: '18:00' })).status).toBe(200)
  const listing = (await call(server.owner, 'GET', `/servers/${server.id}/listing`)).body
  expect(listing.wipeSchedule).toEqual({ weekday: 'friday', time: '18:00', timeZone: 'UTC' })
  expect(String(listing.nextWipeAt)).toMatch(/T18:00:00\.000Z$/)
  // Another change keeps it.
  await call(server.owner, 'PATCH', `/servers/${server.id}`, { name: 'Another island' })
  expect(await nextWipeOf(server.id)).toBe(listing.nextWipeAt)
  expect((await plan(server, null)).body).toMatchObject({ nextWipeAt: null })
})

test.each([
  { weekday: 'caturday', time: '18:00' },
  { weekday: 'friday', time: '25:00' },
  { weekday: 'friday', time: '18:00', timeZone: 'Mars/Olympus' },
  { weekday: 'friday', time: '18:00', timeZone: 'PST' },
  { weekday: 'friday', time: '18:00', timeZone: 'ist' },
  { at: 'tomorrow' },
  { at: inDays(400) },
  { at: '0000-01-01T00:00:00Z' },
  {},
])('%j is refused', async (wipeSchedule) => {
  expect(await plan(await addServer(), wipeSchedule)).toMatchObject({
    status: 400,
    body: { error: 'validation_failed' },
  })
})

test('a time far from UTC, or with many digits, is kept in UTC', async () => {
  const at = inDays(2)
  const ahead = new Date(Date.parse(at) + 16 * 3_600_000).toISOString().replace('.000Z', '.0000000000000001+16:00')
  const server = await addServer({ at: ahead })
  const { body } = await call(server.owner, 'GET', `/servers/${server.id}/listing`)
  expect(body).toMatchObject({ wipeSchedule: { at }, nextWipeAt: at })
})

test('a time zone that only Node knows is refused at its field', async () => {
  // Removed from the IANA database, which PostgreSQL reads, in 2020.
  const reply = await plan(await addServer(), { weekday: 'friday', time: '18:00', timeZone: 'US/Pacific-New' })
  expect(reply).toMatchObject({ status: 400, body: { details: [{ path: 'body.wipeSchedule.timeZone' }] } })
})

test('a schedule of a time zone that PostgreSQL no longer knows does not stop the others', async () => {
  const [known, unknown] = [await addServer({ weekday: 'monday', time: '12:00' }), await addServer()]
  const next = await nextWipeOf(known.id)
  await pool.query(
    `update servers set wipe_schedule = '{"weekday": "monday", "time": "12:00", "timeZone": "Mars/Olympus"}' where id = $1`,
    [unknown.id],
  )
  await pool.query(`update servers set next_wipe_at = now() - interval '1 minute' where id = any($1)`, [
    [known.id, unknown.id],
  ])
  await runWipesNext(api.deps)
  await api.directory.refresh()
  expect([await nextWipeOf(known.id), await nextWipeOf(unknown.id)]).toEqual([next, null])
})

test('a listing that is being edited is left to the next minute', async () => {
  const [edited, free] = [await addServer({ weekday: 'monday', time: '12:00' }), await addServer({ at: inDays(1) })]
  const next = await nextWipeOf(free.id)
  await pool.query(`update servers set next_wipe_at = now() - interval '1 minute' where id = any($1)`, [
    [edited.id, free.id],
  ])
  const editor = await pool.connect()
  try {
    await editor.query('begin')
    await editor.query('select from servers where id = $1 for no key update', [edited.id])
    await runWipesNext(api.deps)
  } finally {
    await editor.query('rollback')
    editor.release()
  }
  await api.directory.refresh()
  expect(await nextWipeOf(free.id)).toBe(next)
  const { rows } = await pool.query('select next_wipe_at < now() as "isDue" from servers where id = $1', [edited.id])
  expect(rows).toEqual([{ isDue: true }])
})

test('lists are filtered and sorted by it: the soonest first, those without last', async () => {
  const [late, soon, never] = [
    await addServer({ at: inDays(9) }),
    await addServer({ at: inDays(2) }),
    await addServer(),
  ]
  const known = [late.id, soon.id, never.id]
  const sorted = (await idsOf('sortBy=nextWipeAt&limit=100')).filter((id) => known.includes(id))
  expect(sorted).toEqual([soon.id, late.id, never.id])
  const within = async (days: number) =>
    (await idsOf(`wipesWithinDays=${days}&limit=100`)).filter((id) => known.includes(id))
  expect([await within(1), await within(3), new Set(await within(10))]).toEqual([
    [],
    [soon.id],
    new Set([soon.id, late.id]),
  ])
})

test('a time that has come is followed by the next one; a date by none', async () => {
  const [weekly, once] = [await addServer({ weekday: 'monday', time: '12:00' }), await addServer({ at: inDays(1) })]
  const next = await nextWipeOf(weekly.id)
  await pool.query(`update servers set next_wipe_at = now() - interval '1 minute' where id = any($1)`, [
    [weekly.id, once.id],
  ])
  await pool.query(
    `update servers set wipe_schedule = jsonb_build_object('at', now() - interval '1 minute') where id = $1`,
    [once.id],
  )
  await runWipesNext(api.deps)
  await api.directory.refresh()
  expect([await nextWipeOf(weekly.id), await nextWipeOf(once.id)]).toEqual([next, null])
})
