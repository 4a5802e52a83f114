// The system's browser for tests of pages, limited to this machine's addresses.
import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './installed.ts'

/**
 * For tests that are skipped when `isMissing('chromium')`. Takes the headless shell where it is installed: the same
 * engine without the windows of a desktop browser, for half the CPU time.
 * @param args more of Chromium's command line
 */
export const launchChromium = (...args: string[]): Promise<Browser> =>
  launch(findProgram('chromium-headless-shell') ?? findProgram('chromium'), args)

/** The whole browser, for pages that show notifications: the headless shell shows none. */
export const launchNotifyingChromium = (): Promise<Browser> => launch(findProgram('chromium'), [])

const launch = (executablePath = '', args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ...args,
    ],
  })
