// What a person can't read, reach or tell apart on a page: by axe-core and test/pages/audit.js, light and dark, wide and narrow.
import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'

const axe = fs.readFileSync(path.resolve('node_modules/axe-core/axe.min.js'), 'utf8')
const audit = fs.readFileSync(path.join(import.meta.dirname, '../pages/audit.js'), 'utf8')
const SIZES = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
]

export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const faults = new Set<string>()
  for (const colorScheme of ['dark', 'light'] as const)
    for (const size of SIZES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        `axe.run(document, { resultTypes: ['violations'] })`,
      )
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
      const overlaps = (await page.evaluate<string[]>(audit)).filter((fault) => !fault.startsWith('leads outside'))
      for (const fault of [...found, ...overlaps]) faults.add(`${colorScheme} ${size.width}: ${fault}`)
    }
  return [...faults].slice(0, 40)
}
