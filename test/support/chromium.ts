// The system's browser for tests of pages, limited to this machine's addresses.
import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './installed.ts'

/**
 * For tests that are skipped when `isMissing('chromium')`.
 * @param args more of Chromium's command line
 */
export const launchChromium = (...args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: findProgram('chromium') ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ...args,
    ],
  })
