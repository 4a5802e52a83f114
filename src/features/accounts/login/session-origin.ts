// What opened a session, in words that its user recognizes. The header and the address that say so are not stored.
import type { IncomingMessage } from 'node:http'
import type { Deps } from '../../../deps.ts'
import { type CountryOf, openCountries } from '../../../platform/country-database.ts'
import { clientAddress } from '../../../platform/http/client-key.ts'
import { readUserAgent } from './user-agent.ts'

export interface SessionOrigin {
  browser: string
  system: string
  /** ISO 3166-1 alpha-2; empty: unknown. */
  country: string
}

/** Reads the file of countries with the first session, because it takes 8 MB. Sessions work without it. */
export function createSessionOrigins({ settings, log }: Pick<Deps, 'settings' | 'log'>) {
  let countries: CountryOf | undefined

  function open(): CountryOf {
    try {
      return openCountries(settings.COUNTRY_DATABASE)
    } catch (err) {
      log.error({ err }, 'the file of countries can’t be read, so sessions are stored without one')
      return () => ''
    }
  }

  return (req: IncomingMessage): SessionOrigin => {
    countries ??= open()
    const country = countries(clientAddress(req, settings.TRUST_PROXY)) ?? ''
    return { ...readUserAgent(req.headers['user-agent']), country }
  }
}
