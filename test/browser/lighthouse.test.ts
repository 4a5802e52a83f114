// Lighthouse on the public pages. Scores of performance depend on the machine, so what causes them is tested instead.
import lighthouse, { desktopConfig, type Result } from 'lighthouse'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { seedDirectory } from '../../dev/bench/seed.ts'
import { isMissing } from '../support/installed.ts'
import { startSite } from '../support/site.ts'

describe.skipIf(isMissing('chromium'))('Lighthouse', () => {
  const pages = new Map<string, string>()
  let devtools = 0

  beforeAll(async () => {
    devtools = await freePort()
    const { api, base } = await startSite({}, `--remote-debugging-port=${devtools}`)
    const { pool } = api.database
    await seedDirectory(pool, 1000)
    await api.directory.refresh()
    const { rows } = await pool.query<{ id: string }>('select id from servers order by id limit 1')
    pages.set('the list', `${base}/`).set('a server', `${base}/servers/${rows[0]?.id}`)
  })

  it.each([
    ['the list', 'mobile'],
    ['the list', 'desktop'],
    ['a server', 'mobile'],
    ['a server', 'desktop'],
  ])('%s on %s', async (page, device) => {
    const config = device === 'desktop' ? desktopConfig : undefined
    const flags = { port: devtools, logLevel: 'error' as const }
    const { lhr } = (await lighthouse(pages.get(page), flags, config)) ?? {}
    if (!lhr) throw new Error('Lighthouse returned nothing')
    const { categories, audits } = lhr
    const scores = Object.fromEntries(Object.values(categories).map(({ id, score }) => [id, score ?? 0]))
    console.log(`${page} on ${device}: performance ${scores.performance}`)
    for (const category of ['accessibility', 'best-practices', 'seo'])
      expect(scores[category], category).toBeGreaterThanOrEqual(0.95)
    for (const name of [
      'unminified-javascript',
      'unused-javascript',
      'unminified-css',
      'unused-css-rules',
      'unsized-images',
    ])
      expect(audits[name]?.score, name).toBe(1)
    expect(audits['cumulative-layout-shift']?.numericValue).toBe(0)
    expect(audits['total-byte-weight']?.numericValue).toBeLessThan(100_000)
    const blocking = itemsOf<{ url: string }>(audits['render-blocking-insight'])
    expect(blocking.map(({ url }) => url.replace(/.*\//, ''))).toEqual(['site.css'])
    const requests = itemsOf<{ resourceType: string; transferSize: number; isLinkPreload?: boolean }>(
      audits['network-requests'],
    )
    const preloaded = requests.filter(({ resourceType, isLinkPreload }) => resourceType === 'Script' && isLinkPreload)
    expect(preloaded.length).toBeGreaterThan(0)
    const styles = requests.filter(({ resourceType }) => resourceType === 'Stylesheet')
    expect(sum([...preloaded, ...styles].map(({ transferSize }) => transferSize))).toBeLessThan(60_000)
  })
})

const itemsOf = <Item>(audit: Result['audits'][string] | undefined): Item[] =>
  (audit?.details as { items?: Item[] })?.items ?? []
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
