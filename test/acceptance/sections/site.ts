// The site: its pages as a program receives them. What people do there is in journeys/player.ts and test/browser.
import { expect } from 'vitest'
import { theOther } from '../other-product.ts'
import { listServer, newVisitor, product, UNKNOWN_ID } from '../product.ts'
import { onceNeeded, section } from '../section.ts'

const theShown = onceNeeded(() => listServer({ name: 'The isle <b>of pages</b>', game: 'rust' }, { players: 7 }))

/** As a browser without scripts, in English unless given. */
async function open(path: string, language = 'en'): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(product.url + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'accept-language': language, 'x-forwarded-for': newVisitor().address },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

section('site', {
  list: [
    'has the servers in the document, escaped, in the language of the browser, and nothing from elsewhere',
    async () => {
      const { id } = await theShown()
      const { status, headers, text } = await open('/?q=isle+of+pages&onlineOnly=true')
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('set-cookie')).toBeNull()
      expect(text).toContain(`href="/servers/the-isle-b-of-pages-b-${id.slice(-12)}"`)
      expect(text).toContain('The isle &lt;b>of pages&lt;/b>')
      expect((await open('/', 'de')).text).toContain('<html lang="de"')
    },
  ],
  server: [
    'shows a server and lets players vote',
    async () => {
      const { id } = await theShown()
      const { status, headers } = await open(`/servers/${id}`)
      expect(status).toBe(301)
      const { text } = await open(headers.get('location') ?? '')
      for (const part of ['Rust', `/api/servers/${id}/card.png`, 'name="username"', 'application/ld+json'])
        expect(text).toContain(part)
    },
  ],
  'further pages': [
    'are the games, featured servers, a comparison, auctions, and the API reference',
    async () => {
      const { id } = await theShown()
      for (const path of [
        '/games',
        '/games/rust',
        '/featured',
        `/compare?ids=${id}`,
        '/auctions',
        '/login',
        '/register',
        '/contact',
        '/docs',
      ])
        expect([path, (await open(path)).status]).toEqual([path, 200])
    },
  ],
  login: [
    'comes before the pages of accounts, owners and administrators',
    async () => {
      for (const path of ['/account', '/my/servers', '/admin']) {
        const { status, headers } = await open(path)
        expect([path, status, headers.get('location')]).toEqual([path, 303, `/login?next=${encodeURIComponent(path)}`])
      }
    },
  ],
  crawlers: [
    'find every listed server',
    async () => {
      const { id } = await theShown()
      expect((await open('/robots.txt')).text).toMatch(/^Sitemap: http\S+\/sitemap\.xml$/m)
      const parts = [...(await open('/sitemap.xml')).text.matchAll(/<loc>([^<]+)<\/loc>/g)]
      const texts = await Promise.all(parts.map(async ([, url = '']) => (await open(new URL(url).pathname)).text))
      expect(texts.join()).toContain(`-${id.slice(-12)}</loc>`)
    },
  ],
  'not found': [
    'is a page for browsers, and JSON for programs',
    async () => {
      for (const path of [`/servers/${UNKNOWN_ID}`, '/nothing']) {
        const { status, headers } = await open(path)
        expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      }
      const program = await fetch(`${product.url}/nothing`)
      expect([program.status, await program.json()]).toMatchObject([404, { error: 'not_found' }])
    },
  ],
  'SITE=off': [
    'leaves the API and its reference, where `/` then leads',
    async () => {
      const { url } = await theOther()
      const statusOf = async (path: string) => (await fetch(url + path, { redirect: 'manual' })).status
      const root = await fetch(`${url}/`, { redirect: 'manual' })
      expect([root.status, root.headers.get('location')]).toEqual([302, '/docs'])
      expect(await Promise.all(['/featured', '/login', '/sitemap.xml', '/my/servers'].map(statusOf))).toEqual(
        Array(4).fill(404),
      )
      expect(await Promise.all(['/docs', '/api/public/servers'].map(statusOf))).toEqual([200, 200])
    },
  ],
})
