// Headers from a declaration: the links of a page, and the announcement of a removal.
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { operation } from '../../../src/platform/http/operation.ts'
import { pageOf, pageQuery, paginate } from '../../../src/platform/http/paging.ts'
import { RenderedJson } from '../../../src/platform/http/reply-kinds.ts'
import { insertServer } from '../../features/directory/rows-in-database.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

const Thing = z.object({ n: z.int() }).meta({ id: 'Thing' })
const ThingPage = pageOf('things', Thing)
const things = Array.from({ length: 5 }, (_, n) => ({ n }))

const position = { page: 1, limit: 2, total: 0, totalPages: 0 }
const rendered = new RenderedJson(Buffer.from(JSON.stringify({ things: [], pagination: position })), '"1"', {
  maxAgeSeconds: 1,
  pagination: position,
})

const operations = [
  operation({
    method: 'get',
    path: '/rendered',
    operationId: 'listRendered',
    tag: 'Samples',
    summary: 'A page rendered ahead',
    query: z.object({ ...pageQuery({ limit: 2, maxLimit: 5 }), search: z.string().optional() }),
    returns: ThingPage,
    handle: () => rendered,
  }),
  operation({
    method: 'get',
    path: '/things',
    operationId: 'listThings',
    tag: 'Samples',
    summary: 'A list in pages that will go',
    deprecated: { since: '2026-01-31', sunset: '2026-12-31', link: 'https://directory.example/docs#things' },
    query: z.object({ ...pageQuery({ limit: 2, maxLimit: 5 }), search: z.string().optional() }),
    returns: ThingPage,
    handle: ({ query }) =>
      paginate('things', query, {
        count: async () => things.length,
        find: async ({ limit, offset }) => things.slice(offset, offset + limit),
      }),
  }),
]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: operations })
  for (const name of ['One', 'Two', 'Three']) await insertServer(api.database.pool, { name })
  await api.directory.refresh()
})

/** Addresses by relation, of `Link` values. */
async function linksOf(path: string, init: RequestInit = {}): Promise<Record<string, string>> {
  const header = (await api.request(path, init)).headers.get('link') ?? ''
  return Object.fromEntries([...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, address, rel]) => [rel, address]))
}

describe('a page of a list', () => {
  it.each(['/api/things', '/api/v1/things'])('%s links to the pages around it', async (path) => {
    const { deprecation: _, ...first } = await linksOf(`${path}?search=a%26b&limit=2`)
    expect(first).toEqual({
      first: `${path}?search=a%26b&limit=2&page=1`,
      next: `${path}?search=a%26b&limit=2&page=2`,
      last: `${path}?search=a%26b&limit=2&page=3`,
    })
    expect(await linksOf(`${path}?page=2`)).toMatchObject({ prev: `${path}?page=1`, next: `${path}?page=3` })
    const end = await linksOf(`${path}?page=9`)
    expect(end).toMatchObject({ first: `${path}?page=1`, prev: `${path}?page=3`, last: `${path}?page=3` })
    expect(end).not.toHaveProperty('next')
  })

  it('has its number once in each link, however the request encoded the name', async () => {
    expect(await linksOf('/api/things?%70age=2&limit=1')).toMatchObject({
      prev: '/api/things?limit=1&page=1',
      next: '/api/things?limit=1&page=3',
    })
  })

  it('rendered ahead keeps the links of the last address, but of no long one, which nothing would bound', async () => {
    const [short, other, long] = ['?limit=1', '?limit=3', `?search=${'x'.repeat(1_000)}`]
    for (const query of [short, other, short, long])
      expect((await linksOf(`/api/rendered${query}`)).first).toBe(`/api/rendered${query}&page=1`)
    expect(rendered.links?.url).toBe(`/api/rendered${short}`)
  })

  it.each(['/api/public/servers', '/api/servers'])(
    '%s, rendered ahead, has them too, also compressed and for HEAD',
    async (path) => {
      const links = {
        first: `${path}?limit=1&page=1`,
        prev: `${path}?limit=1&page=1`,
        next: `${path}?limit=1&page=3`,
        last: `${path}?limit=1&page=3`,
      }
      for (const method of ['GET', 'GET', 'HEAD'])
        expect(await linksOf(`${path}?page=2&limit=1`, { method })).toEqual(links)
      const { headers } = await api.request(`${path}?limit=1`)
      const again = await api.request(`${path}?limit=1`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      expect([again.status, again.headers.get('link')]).toEqual([304, headers.get('link')])
      expect(await linksOf(`${path}?search=nothing`)).toEqual({
        first: `${path}?search=nothing&page=1`,
        last: `${path}?search=nothing&page=1`,
      })
    },
  )

  it('leads from the first page to all', async () => {
    const names: string[] = []
    for (let next: string | undefined = '/api/public/servers?limit=2'; next; next = (await linksOf(next)).next) {
      const { servers } = (await (await api.request(next)).json()) as { servers: { name: string }[] }
      names.push(...servers.map(({ name }) => name))
    }
    expect(names.sort()).toEqual(['One', 'Three', 'Two'])
  })

  it('is linked to by no list that has only a cursor, as the description says', async () => {
    expect((await linksOf('/api/servers?cursor=&limit=1')).next).toMatch(/cursor=\w/)
    expect(await linksOf('/api/servers/changes?limit=1')).toEqual({})
    const { info } = (await (await api.request('/api/openapi.json')).json()) as { info: { description: string } }
    expect(info.description).toContain('a list that has only a cursor')
  })

  it('does not link to an address that is too long to be repeated in a header', async () => {
    const path = (characters: number) => `/api/things?search=${'x'.repeat(characters - '/api/things?search='.length)}`
    expect((await linksOf(path(1500))).first).toBe(`${path(1500)}&page=1`)
    expect(await linksOf(path(1501))).toEqual({ deprecation: expect.anything() })
  })

  it('lets pages of other origins read them, also when a cache got the reply for another client', async () => {
    const origin = 'https://elsewhere.example'
    const exposed = async (headers: Record<string, string>) =>
      (await api.request('/api/servers', { headers })).headers.get('access-control-expose-headers')
    expect(await exposed({ origin })).toContain('Link')
    expect(await exposed({})).toBe(await exposed({ origin }))
  })

  it('lets no address end its link', async () => {
    expect((await linksOf('/api/servers?search=%3E%3B rel="next"')).first).toMatch(/^[^<>"]+$/)
  })
})

describe('a deprecated operation', () => {
  it('says since when, until when, and what to use instead', async () => {
    const { headers } = await api.request('/api/things')
    expect(headers.get('deprecation')).toBe('@1769817600')
    expect(headers.get('sunset')).toBe('Thu, 31 Dec 2026 00:00:00 GMT')
    expect(headers.get('link')).toContain(
      '<https://directory.example/docs#things>; rel="deprecation"; type="text/html"',
    )
    expect((await api.request('/api/things?page=0')).headers.get('deprecation')).toBe('@1769817600')
    expect((await api.request('/api/servers')).headers.get('deprecation')).toBeNull()
  })

  it('is marked in the description', () => {
    const described = api.contract.document.paths['/things']?.get
    expect(described).toMatchObject({
      deprecated: true,
      description:
        'Deprecated since 2026-01-31, ends on 2026-12-31: see [what to use instead](https://directory.example/docs#things).',
    })
  })
})

it('an address with U+0000 is refused by its own words', async () => {
  const refused = async (path: string) => (await (await api.request(path)).json()) as object
  const message = 'must not contain the character U+0000'
  expect(await refused('/api/servers?search=a%00')).toMatchObject({ details: [{ path: 'search', message }] })
  expect(await refused('/api/servers/%00')).toMatchObject({ details: [{ path: 'url', message }] })
  const malformed = { path: 'url', message: 'is not valid percent-encoded text' }
  expect(await refused('/api/servers?search=%ff')).toMatchObject({ details: [malformed] })
})
