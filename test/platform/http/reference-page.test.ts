// The reference page, which loads nothing from elsewhere.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { isMissing } from '../../support/installed.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})

describe('the reference page', () => {
  it('and all it needs come from us', async () => {
    const page = await fetch(`${api.url}/docs`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await page.text()
    const linked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
    expect(linked.length).toBeGreaterThanOrEqual(5)
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
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    )
  })

  it('is where the service’s bare address leads to', async () => {
    const response = await fetch(`${api.url}/`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/docs'])
    expect((await fetch(`${api.url}/`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${api.url}/favicon.ico`)).headers.get('content-type')).toBe('image/svg+xml')
  })

  it.skipIf(isMissing('chromium'))(
    'shows every operation in a browser',
    async () => {
      const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-chromium-'))
      try {
        const flags = [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ]
        const { stdout } = await promisify(execFile)(
          'chromium',
          [...flags, `--user-data-dir=${profile}`, '--virtual-time-budget=10000', '--dump-dom', `${api.url}/docs`],
          { maxBuffer: 20_000_000, timeout: 60_000 },
        )
        for (const id of [
          'listPublicServers',
          'getPublicServer',
          'getPlatformStatistics',
          'listServers',
          'getServer',
          'getReadiness',
        ])
          expect(stdout).toContain(`-${id}"`)
      } finally {
        fs.rmSync(profile, { recursive: true, force: true })
      }
    },
    90_000,
  )
})
