// What a person can't read, reach or tell apart on a page: by test/browser/audit.js light and dark, wide and narrow; by
// axe-core in two of these, which show each theme and each width.
import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'

/** Minified: each page parses it again, and the package’s `source` is twice as long. */
const axe = fs.readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const audit = fs.readFileSync(path.join(import.meta.dirname, '../browser/audit.js'), 'utf8')
const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 360, height: 740 }

export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe) // not as a script of the page, which its policy refuses
  const faults = new Set<string>()
  for (const [colorScheme, size, isWhole] of [
    ['dark', NARROW, true],
    ['dark', WIDE, false],
    ['light', NARROW, false],
    ['light', WIDE, true], // in which a test continues
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    const found = (await page.evaluate<string[]>(audit)).filter((fault) => !fault.startsWith('leads outside'))
    if (isWhole) found.push(...(await violationsOf(page)))
    for (const fault of found) faults.add(`${new URL(page.url()).pathname} ${colorScheme} ${size.width}: ${fault}`)
  }
  return [...faults].slice(0, 40)
}

/** Of all rules but contrast, which `audit` measures in each appearance. */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(document, { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } })`,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
