// The reference page loads only our own files. Tests in test/browser open it in a browser.
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})

describe('the reference page', () => {
  it('and all its files come from us', async () => {
    const page = await fetch(`${api.url}/docs`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await page.text()
    const linked = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, address]) => address ?? '',
    )
    expect(linked.length).toBeGreaterThanOrEqual(3)
    for (const address of linked) {
      expect(address).toMatch(/^\//)
      const response = await fetch(api.url + address)
      expect(response.status, address).toBe(200)
      expect(response.headers.get('etag'), address).toBeTruthy()
    }
  })

  it('allows scripts and connections only to us', async () => {
    const policy = (await fetch(`${api.url}/docs`)).headers.get('content-security-policy')?.split(';') ?? []
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    )
  })

  it('is where / leads without the site', async () => {
    const alone = await startTestApi({ database: api.database, settings: { SITE: 'off' } })
    const response = await fetch(`${alone.url}/`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs'])
    expect((await fetch(`${alone.url}/`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${api.url}/favicon.ico`)).headers.get('content-type')).toBe('image/svg+xml')
  })
})
