// `fields=`: items with only the requested fields, and what the cache keeps of such pages.
import { beforeAll, describe, expect, it } from 'vitest'
import { LIST_FIELDS, type ListField, SELECTABLE_FIELDS } from '../../../src/features/directory/engine/fields.ts'
import { createPageCache } from '../../../src/features/directory/engine/page-cache.ts'
import type { DirectoryQuery } from '../../../src/features/directory/engine/plan.ts'
import { SHORTENED_DESCRIPTION } from '../../../src/features/directory/engine/render.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { startTestApi } from '../../support/api.ts'
import { modelServer, serverRow } from './model.ts'
import { insertServer, putStatus, putVotes } from './rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const api = await startTestApi({ clock: () => NOW })

beforeAll(async () => {
  const { pool } = api.database
  for (const name of ['Öde "1"', 'Two']) {
    const id = await insertServer(pool, { name, description: 'text\n'.repeat(50), tags: ['a', 'b'], isVerified: true })
    await putStatus(pool, id, { map: 'Ragnarök "2"', lastPolledAt: new Date(NOW), freshUntil: new Date(NOW) })
    await putVotes(pool, id, name.length, 3)
  }
  await api.directory.refresh()
})

type Item = Record<string, unknown>
const get = async (query: string) => {
  const response = await api.request(`/api/servers?${query}`)
  return { response, servers: ((await response.json()) as { servers: Item[] }).servers }
}

describe('fields=', () => {
  it('has each field with the value of the whole item, alone, with and without its neighbours, and all together', async () => {
    const { servers: whole } = await get('')
    expect(Object.keys(whole[0] ?? {}).sort()).toEqual([...LIST_FIELDS].sort())
    for (const field of LIST_FIELDS)
      expect((await get(`fields=${field}`)).servers).toEqual(whole.map((item) => ({ [field]: item[field] })))
    for (const group of [2, 3, 4]) {
      const some = LIST_FIELDS.filter((_, at) => at % group > 0)
      expect((await get(`fields=${some}`)).servers).toEqual(
        whole.map((item) => Object.fromEntries(some.map((field) => [field, item[field]]))),
      )
    }
    expect((await get(`fields=${LIST_FIELDS.join(',')}`)).servers).toEqual(whole)
    expect((await get('fields=')).servers).toEqual(whole)
    expect((await get('fields=,%20,')).servers).toEqual(whole)
  })

  it('has them in the order of items, so that equal selections have equal bytes and tags', async () => {
    const [one, other, whole] = [await get('fields=map,name,id'), await get('fields=id,%20name,,map,id'), await get('')]
    expect(one.servers.map((item) => Object.keys(item))).toEqual([
      ['id', 'name', 'map'],
      ['id', 'name', 'map'],
    ])
    expect(one.response.headers.get('etag')).toBe(other.response.headers.get('etag'))
    expect(one.response.headers.get('etag')).not.toBe(whole.response.headers.get('etag'))
  })

  it('refuses unknown names, and lists the valid ones', async () => {
    for (const names of ['nme', 'id,chatUrl', 'id,Name', 'constructor', '__proto__', `id,${'x'.repeat(400)}`]) {
      const { response } = await get(`fields=${names}`)
      expect(response.status).toBe(400)
    }
    const response = await api.request('/api/servers?fields=id,nme')
    expect(((await response.json()) as { details: unknown }).details).toEqual([
      { path: 'fields', message: `must name only ${SELECTABLE_FIELDS.join(', ')}` },
    ])
  })

  it('is no parameter of the public list, whose items always have the same fields', async () => {
    const response = await api.request('/api/public/servers?fields=id')
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      400,
      expect.stringContaining('fields: is not a recognized parameter'),
    ])
  })
})

it('any number of selections and cursors leaves a hot page in the cache', () => {
  const snapshot = createSnapshot(NOW)
  for (let n = 0; n < 20; n++)
    snapshot.applyServer(
      serverRow(modelServer({ id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}` }), n + 1),
    )
  const pages = createPageCache()
  const query = { sortBy: 'totalVotes', sortOrder: 'desc', limit: 20 } as const
  const get = (more: Partial<DirectoryQuery>, fields?: readonly ListField[]) => {
    const asked = { ...query, page: 1, ...more }
    const isRare = fields !== undefined || asked.page === undefined
    const request = { snapshot, asked: { ...asked, fields }, fields: fields ?? ('full' as const), isRare }
    return pages.get({ ...request, now: NOW, compressed: false }, () => asked)
  }
  const once = get({})
  const hot = get({})
  expect(hot).not.toBe(once) // a page is kept from its second request on
  const after = snapshot.orders.keysetPosition('totalVotes', 0)
  for (let set = 1; set < 4_000; set++) {
    const fields = LIST_FIELDS.filter((_, bit) => set & (1 << bit))
    for (let times = 0; times < 2; times++) {
      get({}, fields)
      get({ page: undefined, after: { ...after, createdAt: set } })
    }
  }
  expect(get({})).toBe(hot)
  get({}, ['id', 'map'])
  expect(get({}, ['id', 'map'])).toBe(get({}, ['id', 'map']))
})

it('a page that was made since a read began is current until the read ends', () => {
  const snapshot = createSnapshot(NOW)
  const server = modelServer({ id: '00000000-0000-7000-8000-000000000001', name: 'Before' })
  snapshot.applyServer(serverRow(server, 1))
  const pages = createPageCache()
  const query = { sortBy: 'totalVotes', sortOrder: 'desc', limit: 20, page: 1 } as const
  const names = (now = NOW) => {
    const request = { snapshot, asked: query, fields: 'full', now, compressed: false } as const
    const { servers } = JSON.parse(pages.get(request, () => query).bytes.toString())
    return servers.map(({ name }: { name: string }) => name)
  }
  for (let times = 0; times < 2; times++) expect(names()).toEqual(['Before'])

  snapshot.beginRead()
  snapshot.applyServer(serverRow({ ...server, name: 'Meanwhile' }, 2))
  expect(names()).toEqual(['Before'])
  expect(names(NOW + 1_000)).toEqual(['Meanwhile']) // no page is kept longer than its second
  snapshot.applyServer(serverRow({ ...server, name: 'After' }, 3))
  expect(names(NOW + 1_000)).toEqual(['Meanwhile'])
  snapshot.endRead()
  expect(names(NOW + 1_000)).toEqual(['After'])
})

it('a page of descriptions alone has no more than 1 MB either', () => {
  const snapshot = createSnapshot(NOW)
  const rates = '🦖'.repeat(1000)
  for (let n = 0; n < 100; n++) {
    const id = `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
    snapshot.applyServer(serverRow(modelServer({ id, description: '🦖'.repeat(2000), rates }), n + 1))
  }
  const query = { sortBy: 'totalVotes', sortOrder: 'desc', limit: 100, page: 1 } as const
  const { bytes } = createPageCache().get(
    { snapshot, asked: query, fields: ['description', 'rates'], now: NOW, compressed: false },
    () => query,
  )
  const { servers } = JSON.parse(bytes.toString())
  expect(bytes.length).toBeLessThan(1_000_000)
  expect(servers).toHaveLength(100)
  expect(servers[99]).toEqual({ description: `${'🦖'.repeat(SHORTENED_DESCRIPTION - 1)}…`, rates })
})
