// `npm run screenshots [-- <address>]`: takes the README's picture again, of a running `npm start -- --demo`.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { chromium } from 'playwright-core'

const base = process.argv[2] ?? 'http://localhost:3000'
const findBrowser = 'command -v chromium || command -v google-chrome'
const executablePath = execFileSync('sh', ['-c', findBrowser], { encoding: 'utf8' }).trim()

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, locale: 'en' })
  await page.goto(base)
  await page.screenshot({ path: path.resolve(import.meta.dirname, '../../docs/images/directory.png') })
} finally {
  await browser.close()
}
