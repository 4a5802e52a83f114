// Warnings about settings that do not stop the start: one line each, without values that may be secret.
import { isIP } from 'node:net'
import { findMistyped } from './mistyped.ts'
import type { Settings } from './settings.ts'

/** @returns one line per warning */
export function startWarnings(env: Record<string, string | undefined>, settings: Settings): string[] {
  const mistyped = findMistyped(env).map(({ name, nearest }) => `${name} is not a setting: did you mean ${nearest}?`)
  const isProduction = settings.NODE_ENV === 'production'
  return [
    ...mistyped,
    ...(!isProduction && !isLoopback(settings.HOST) ? [exposed(settings)] : []),
    ...(isProduction && !settings.PUBLIC_BASE_URL.startsWith('https:') ? [unencrypted(settings)] : []),
  ]
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || (isIP(host) === 4 && /^127\./.test(host))

const unencrypted = ({ PUBLIC_BASE_URL }: Settings) =>
  `PUBLIC_BASE_URL is ${new URL(PUBLIC_BASE_URL).origin}: session cookies are sent without Secure. Set the https address that people ` +
  'use and ALLOW_HTTP=false before others use this installation.'

const exposed = ({ HOST }: Settings) =>
  `HOST is ${HOST}, so other machines can reach this one, with settings meant for development: cookies without Secure, ` +
  'administrators without a verified address, connections to private addresses. Set NODE_ENV=production, or HOST=127.0.0.1.'
