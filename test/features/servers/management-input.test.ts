// Input of server management: each limit of each field holds, the error names the field, and nothing answers 500.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { rounds } from '../../support/rounds.ts'
import { callerOf, serverFields } from './support.ts'

const api = await startTestApi()
const call = callerOf(api)
const owner = await addPerson(api.database.pool)
const created = await call(owner, 'POST', '/servers', serverFields())
const { id } = (created.body as { server: { id: string } }).server

const pathsOf = (body: unknown) => [
  ...new Set(((body as { details?: { path: string }[] }).details ?? []).map(({ path }) => path)),
]

const TEXT_BOUNDS: [field: string, longest: string, tooLong: string][] = [
  ['name', 'n'.repeat(100), 'n'.repeat(101)],
  ['description', 'd'.repeat(2000), 'd'.repeat(2001)],
  ['website', `https://example.com/${'w'.repeat(480)}`, `https://example.com/${'w'.repeat(481)}`],
  ['chatUrl', `https://example.com/${'w'.repeat(480)}`, `https://example.com/${'w'.repeat(481)}`],
]
const CREATE_BOUNDS: [field: string, good: unknown, bad: unknown][] = [
  ...TEXT_BOUNDS,
  ['region', 'r'.repeat(50), 'r'.repeat(51)],
  [
    'tags',
    Array.from({ length: 10 }, (_, n) => `tag${n}`).join(),
    Array.from({ length: 11 }, (_, n) => `tag${n}`).join(),
  ],
  ['tags', 't'.repeat(30), 't'.repeat(31)],
  ['name', 'abc', 'ab'],
  ['queryPort', 1, 0],
  ['queryPort', 65_535, 65_536],
  ['gameMode', 'PvP', 'pvp'],
  ['game', 'rust', 'chess'],
]
const UPDATE_BOUNDS: [field: string, good: unknown, bad: unknown][] = [
  ...TEXT_BOUNDS,
  ['bannerUrl', 'http://example.com/a.png', 'ftp://example.com/a.png'],
  ['rates', 'xp:999999999,harvest:0.000001', 'xp:fast'],
  ['mods', 'm'.repeat(2000), 'm'.repeat(2001)],
  ['gameMode', 'PvPvE', 'both'],
]
const UNSEEN = ['\u0007', '\u200b', '\u202e', '\u2066', '\ufeff', '\ud800', '\u00ad']
const WRONG_TYPES = [null, 1, true, [], {}, ['x'], 1.5]

test.each(CREATE_BOUNDS)(
  'POST: %s at its limit is accepted, beyond it is refused by name',
  async (field, good, bad) => {
    expect((await call(owner, 'POST', '/servers', serverFields({ [field]: good }))).status).toBe(201)
    const { status, body } = await call(owner, 'POST', '/servers', serverFields({ [field]: bad }))
    expect([status, (body as { error: string }).error]).toEqual([400, 'validation_failed'])
    for (const path of pathsOf(body)) expect(path).toMatch(new RegExp(`^body\\.${field}(\\.\\d+)?$`))
  },
)

test.each(UPDATE_BOUNDS)(
  'PATCH: %s at its limit is accepted, beyond it is refused by name',
  async (field, good, bad) => {
    expect((await call(owner, 'PATCH', `/servers/${id}`, { [field]: good })).status).toBe(200)
    const { status, body } = await call(owner, 'PATCH', `/servers/${id}`, { [field]: bad })
    expect([status, pathsOf(body)]).toEqual([400, [`body.${field}`]])
  },
)

test('a field of another type is refused by name, and so is a missing one', async () => {
  for (const field of [
    'name',
    'ipAddress',
    'gamePort',
    'queryPort',
    'gameMode',
    'description',
    'website',
    'region',
    'tags',
  ])
    for (const wrong of WRONG_TYPES) {
      if (typeof wrong === 'number' && /Port/.test(field) && Number.isInteger(wrong)) continue
      const { status, body } = await call(owner, 'POST', '/servers', serverFields({ [field]: wrong }))
      expect([field, wrong, status, pathsOf(body)]).toEqual([field, wrong, 400, [`body.${field}`]])
    }
  for (const field of ['name', 'description', 'gameMode', 'website', 'chatUrl', 'bannerUrl', 'rates', 'mods'])
    for (const wrong of WRONG_TYPES) {
      const { status, body } = await call(owner, 'PATCH', `/servers/${id}`, { [field]: wrong })
      expect([field, wrong, status, pathsOf(body)]).toEqual([field, wrong, 400, [`body.${field}`]])
    }
  expect(pathsOf((await call(owner, 'POST', '/servers', {})).body)).toEqual(['body.name', 'body.ipAddress'])
})

test('invisible characters are refused in public text', async () => {
  for (const unseen of UNSEEN)
    for (const field of ['name', 'description', 'region', 'tags'])
      expect([
        field,
        unseen.codePointAt(0)?.toString(16),
        (await call(owner, 'POST', '/servers', serverFields({ [field]: `a ${unseen} b` }))).status,
      ]).toEqual([field, unseen.codePointAt(0)?.toString(16), 400])
})

test('bodies that are not an object, not JSON or missing are 400', async () => {
  for (const [method, path] of [
    ['POST', '/servers'],
    ['PATCH', `/servers/${id}`],
  ] as const) {
    for (const body of [[], 'text', 1, null]) expect((await call(owner, method, path, body)).status).toBe(400)
    expect((await call(owner, method, path)).status).toBe(400)
    const broken = await api.request(`/api${path}`, {
      method,
      headers: { cookie: owner.cookie, 'content-type': 'application/json' },
      body: '{"name":',
    })
    expect([broken.status, ((await broken.json()) as { error: string }).error]).toEqual([400, 'malformed_json'])
  }
})

test('no body answers 500, and a refused one changes nothing', async () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('https://example.com', 'a,b', 'xp:1', 'PvP', '9.9.9.9', 'play.example.com', '__proto__', ''),
    fc.integer(),
    fc.double(),
    fc.constantFrom(null, true, [], {}),
    fc.array(fc.string(), { maxLength: 3 }),
  )
  const fields = [
    'name',
    'ipAddress',
    'gamePort',
    'queryPort',
    'game',
    'gameMode',
    'description',
    'website',
    'chatUrl',
    'bannerUrl',
    'region',
    'tags',
    'rates',
    'mods',
    '__proto__',
    'constructor',
    'x',
  ]
  const bodies = fc.oneof(
    { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...fields), odd) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  const listings = async () => (await api.database.pool.query('select * from servers order by id')).rows
  await fc.assert(
    fc.asyncProperty(bodies, fc.boolean(), async (body, complete) => {
      const whole = complete
        ? serverFields(typeof body === 'object' && body ? (body as object as Record<string, unknown>) : {})
        : body
      for (const [method, path, given] of [
        ['POST', '/servers', whole],
        ['PATCH', `/servers/${id}`, body],
      ] as const) {
        const before = await listings()
        const { status } = await call(owner, method, path, given)
        expect([200, 201, 400]).toContain(status)
        if (status >= 400) expect(await listings()).toEqual(before)
      }
    }),
    { numRuns: rounds(200) },
  )
})
