// A server's badge: an image for other sites, with any name.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { renderBadge } from '../../../src/features/widgets/badge.ts'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus } from '../directory/rows-in-database.ts'

let now = Date.UTC(2026, 10, 20, 12)
const api = await startTestApi({ clock: () => now, settings: { DIRECTORY_MAX_STALENESS_SECONDS: '30' } })
const { pool } = api.database
let id = ''
beforeAll(async () => {
  id = await insertServer(pool, { name: 'Alpha <Island> & "Co"' })
  await putStatus(pool, id, { currentPlayers: 12 })
  await api.directory.refresh()
})

describe('GET /api/public/servers/:id/badge.svg', () => {
  it('is an image that any page may embed for a minute', async () => {
    const response = await api.request(`/api/public/servers/${id}/badge.svg`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const svg = await response.text()
    expect(svg).toContain('<title>Alpha &lt;Island&gt; &amp; &quot;Co&quot;: 12/70 online</title>')
    expect(svg).toContain('aria-label="Alpha &lt;Island&gt; &amp; &quot;Co&quot;: 12/70 online"')
    expect(await (await api.request(`/api/v1/public/servers/${id}/badge.svg`)).text()).toBe(svg)
  })

  it('keeps its ETag while it looks the same, and gets another once it does not', async () => {
    const get = (etag = '') =>
      api.request(`/api/public/servers/${id}/badge.svg`, { headers: etag ? { 'If-None-Match': etag } : {} })
    const etag = (await get()).headers.get('etag') ?? ''
    expect((await get(etag)).status).toBe(304)
    await pool.query(`update servers set website = 'https://alpha.example/' where id = $1`, [id])
    await api.directory.refresh()
    expect((await get(etag)).status).toBe(304)
    await putStatus(pool, id, { isOnline: false, currentPlayers: 0 })
    await api.directory.refresh()
    const changed = await get(etag)
    expect(changed.status).toBe(200)
    expect(await changed.text()).toContain('>offline<')
  })

  it('answers in JSON for an unlisted server, and while the directory is out of date', async () => {
    const unknown = await api.request('/api/public/servers/00000000-0000-7000-8000-000000000000/badge.svg')
    expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ error: 'not_found' })])
    now += 3_600_000
    const late = await api.request(`/api/public/servers/${id}/badge.svg`)
    expect([late.status, await late.json()]).toEqual([503, expect.objectContaining({ error: 'unavailable' })])
    const asPage = await fetch(`${api.url}/api/public/servers/${id}`, { headers: { accept: 'text/html' } })
    expect([asPage.status, await asPage.text()]).toEqual([
      503,
      expect.stringContaining('<h1>Not available at the moment</h1>'),
    ])
    expect(asPage.headers.get('retry-after')).toMatch(/^\d+$/)
    now -= 3_600_000
  })
})

describe('a badge', () => {
  const badge = (name: string) => renderBadge({ name, isOnline: true, currentPlayers: 1, maxPlayers: 2 })
  const widthOf = (svg: string) => Number(/width="(\d+)"/.exec(svg)?.[1])

  it('grows with its name up to a limit, where the name is cut between characters', () => {
    expect(widthOf(badge('Alpha Island'))).toBeGreaterThan(widthOf(badge('Alpha')))
    const long = badge('👩‍👩‍👧'.repeat(20))
    expect(long).toMatch(/>(👩‍👩‍👧)+…<\/text>/u)
    expect(widthOf(badge('W'.repeat(100)))).toBe(widthOf(badge('W'.repeat(60))))
    expect(badge('W'.repeat(100))).toContain(`<title>${'W'.repeat(100)}: 1/2 online</title>`)
  })

  it('is as wide as its text and states the text’s length, so that no font leaves a gap', () => {
    // Verdana at 12 px: i 3.3, l 3.3, W 11.9 px.
    expect(widthOf(badge('W'.repeat(10))) - widthOf(badge('i'.repeat(10)))).toBe(86)
    expect(badge('iiiiiiiiii')).toContain(' textLength="32">iiiiiiiiii</text>')
    expect(badge('数据')).toMatch(/fill="#fff">数据<\/text>/) // estimated, so not squeezed
  })

  it('of a server that is offline shows no players', () => {
    const svg = renderBadge({ name: 'Alpha', isOnline: false, currentPlayers: 0, maxPlayers: 0 })
    expect(svg).toContain('<title>Alpha: offline</title>')
    expect(svg).not.toContain('0/0')
  })

  it('is wide enough for each letter of a combined character', () => {
    expect(widthOf(badge('न्दी'.repeat(5)))).toBeGreaterThan(widthOf(badge('न'.repeat(9))))
  })

  it('contains no character that XML forbids, and none that reverses or hides the text', () => {
    const svg = badge('\u0000a\u0001\u001b[31m\tb\n c\u202ed\u2066e\ud800f\uffff\u0085\u200b')
    expect(svg).toContain('<title>a[31m b cde\ufffdf: 1/2 online</title>')
    expect(badge('\u200b\u0001 ')).toContain('<title>…: 1/2 online</title>')
  })

  it('is well-formed and says only what it should, for any name', () => {
    const shape = badge('').replace(/<title>.*?<\/title>|aria-label=".*?"|<text.*?<\/text>|\d+/gs, '')
    const character = fc.oneof(
      fc.constantFrom('<', '>', '&', '"', "'", ']]>', '<!--', '\0', '\u000b'),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(character, { maxLength: 30 }), (characters) => {
        const svg = badge(characters.join(''))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
        expect(svg).not.toMatch(/[\u0000-\u001f\ufffe\uffff]|&(?!amp;|lt;|gt;|quot;|#39;)/)
        expect(svg.isWellFormed()).toBe(true)
        // Without the words and numbers, every badge is the same.
        expect(svg.replace(/<title>[^<>]*<\/title>|aria-label="[^"<>]*"|<text[^<>]*>[^<>]*<\/text>|\d+/gs, '')).toBe(
          shape,
        )
      }),
      { numRuns: 150 },
    )
  })
})
