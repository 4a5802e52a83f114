// The system's browser for tests of pages: shut off from everything but this machine.
import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './installed.ts'

/** For tests that are skipped where `isMissing('chromium')`. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findProgram('chromium') ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
