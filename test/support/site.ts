// The site and a browser, as tests of pages need them.
import { freePort } from '../../commands/start/ports.ts'
import { startTestApi, type TestApiOptions } from './api.ts'
import { atFileEnd } from './at-file-end.ts'
import { launchChromium } from './chromium.ts'

/**
 * Starts the API under an address that browsers trust like HTTPS, and Chromium; both end after the file's tests. The
 * pages of all tests have one address, so its streams are unlimited.
 * @param chromium more of Chromium's command line
 */
export async function startSite({ settings, ...options }: Omit<TestApiOptions, 'server'> = {}, ...chromium: string[]) {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const [api, browser] = await Promise.all([
    startTestApi({
      ...options,
      settings: { PUBLIC_BASE_URL: base, STREAMS_PER_ADDRESS: '0', ...settings },
      server: { port, host: 'localhost' },
    }),
    launchChromium(...chromium),
  ])
  atFileEnd(() => browser.close())
  return { api, browser, base }
}
