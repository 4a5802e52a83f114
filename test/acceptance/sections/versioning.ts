// Versions of the API, of its OpenAPI document, and of game servers.
import fs from 'node:fs'
import { expect } from 'vitest'
import type { Page } from '../directory.ts'
import { newKey, withKey } from '../keys.ts'
import { detailOf, listServer, newVisitor, product } from '../product.ts'
import { section } from '../section.ts'

/** The documented paths, with our parameter names. */
const ENDPOINTS = [
  'GET /public/servers',
  'GET /public/servers/{id}',
  'GET /public/stats',
  'POST /servers/{id}/vote',
  'GET /servers/{id}/vote',
  'GET /servers',
  'POST /servers/{id}/favorite',
  'DELETE /servers/{id}/favorite',
  'GET /user/profile',
  'GET /user/favorites',
  'GET /user/servers',
  'GET /user/api-keys',
  'POST /user/api-keys',
  'POST /servers',
  'PATCH /servers/{id}',
  'DELETE /servers/{id}',
  'POST /billing/checkout',
  'GET /auctions',
  'POST /auctions/{id}/bid',
  'POST /servers/{id}/claim',
  'GET /servers/{id}/compare',
  'GET /servers/{id}/featured',
  'GET /servers/{id}/mods',
  'GET /servers/{id}/notifications',
  'GET /servers/{id}/player-history',
  'POST /servers/{id}/rcon',
  'POST /servers/{id}/reports',
  'GET /servers/{id}/wipe-history',
  'PATCH /user/profile',
  'GET /user/subscription',
  'GET /user/notification-preferences',
  'POST /user/unlink/chat',
  'POST /user/unlink/gameplatform',
  'GET /ad-placements',
  'GET /ad-placements/{location}',
  'GET /admin/servers',
  'GET /admin/users',
  'GET /admin/stats',
  'GET /admin/ad-slots',
  'POST /contact',
  'GET /servers/suggestions',
]

interface Description {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, unknown>>
}

section('versioning', {
  '/api/v1': [
    'serves the same as /api; an owner’s program calls it with a key',
    async () => {
      const { id, owner } = await listServer({ name: 'The versioned isle' }, { players: 3 })
      const program = withKey(await newKey(owner))
      const keyed = await program.get<Page>('/api/v1/servers?search=versioned isle')
      expect(keyed.body.servers).toMatchObject([{ id, currentPlayers: 3 }])
      const changed = await program.patch(`/api/v1/servers/${id}`, { description: 'By a program.' })
      expect([changed.status, (await detailOf(id)).description]).toEqual([200, 'By a program.'])
      for (const path of ['/public/servers?search=versioned', `/public/servers/${id}`, `/servers/${id}/mods`]) {
        const [plain, versioned] = [await newVisitor().get(`/api${path}`), await newVisitor().get(`/api/v1${path}`)]
        expect([plain.status, plain.body]).toEqual([200, versioned.body])
        expect(plain.headers.get('etag')).toBe(versioned.headers.get('etag'))
      }
      expect((await newVisitor().get('/api/v2/servers')).status).toBe(404)
    },
  ],
  'the machine-readable description': [
    'is an OpenAPI 3.1 document with a version and every documented endpoint, and matches the responses',
    async () => {
      const { headers, body } = await newVisitor().get<Description>('/api/openapi.json')
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(body.openapi).toMatch(/^3\.1\./)
      expect(body.info.version).toBe(JSON.parse(fs.readFileSync('package.json', 'utf8')).version)
      const publicUrl = `http://localhost:${new URL(product.url).port}/api`
      expect(body.servers.map(({ url }) => url)).toEqual([publicUrl, '/api', '/api/v1'])
      const missing = ENDPOINTS.filter((endpoint) => {
        const [method = '', path = ''] = endpoint.split(' ')
        return !body.paths[path]?.[method.toLowerCase()]
      })
      expect(missing).toEqual([])
      // The tests' clients check every response against the document.
      expect(body).toEqual(product.contract.document)
    },
  ],
  'version of a server is the game server’s': [
    'is independent of the API’s version and follows the game server’s',
    async () => {
      const { id } = await listServer({}, { version: '42.7-beta' })
      expect((await detailOf(id)).version).toBe('42.7-beta')
      expect((await newVisitor().get(`/api/v1/public/servers/${id}`)).body.version).toBe('42.7-beta')
    },
  ],
})
