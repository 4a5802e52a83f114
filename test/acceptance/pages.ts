// Opens the pages of the product in a browser, as a visitor or as a logged-in person.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { atFileEnd } from '../support/at-file-end.ts'
import { launchChromium, launchNotifyingChromium } from '../support/chromium.ts'
import { newVisitor, type Person, siteUrl } from './product.ts'
import { onceNeeded } from './section.ts'

const theBrowser = onceNeeded(async () => closedAtFileEnd(await launchChromium()))
const theNotifyingBrowser = onceNeeded(async () => closedAtFileEnd(await launchNotifyingChromium()))

function closedAtFileEnd(browser: Browser): Browser {
  atFileEnd(() => browser.close())
  return browser
}

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Opens a page with its own cookies and client address, in English. @param person whose session it has; else none */
export async function openPage(path: string, options: BrowserContextOptions = {}, person?: Person): Promise<Page> {
  const browser = await (options.permissions?.includes('notifications') ? theNotifyingBrowser() : theBrowser())
  const context = await browser.newContext({
    locale: 'en',
    extraHTTPHeaders: { 'x-forwarded-for': newVisitor().address },
    ...options,
  })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(60_000)
  const session = [...(person?.client.cookies ?? [])]
  await context.addCookies(session.map(([name, value]) => ({ name, value, url: siteUrl })))
  const page = await context.newPage()
  await page.goto(siteUrl + path)
  return page
}
