// Reads a request of a page: its address, its language, its visitor, and a client that calls the API as that visitor.
import type { Request, Response } from 'express'
import { requireStaff } from '../../platform/http/actor.ts'
import type { CookieJar } from '../../platform/http/cookies.ts'
import type { SiteHost } from '../../platform/http/http-app.ts'
import { type Client, createClient } from './components/client.ts'
import type { User } from './components/layout.ts'
import { queryOf } from './components/list-query.ts'
import type { Locale } from './components/locale.ts'
import { createLocaleOf } from './language.ts'
import type { Page, PageInput } from './page.ts'

export interface PageRequest {
  url: URL
  locale: Locale
  user: User | undefined
  input: PageInput
}

export type PageRequests = ReturnType<typeof createPageRequests>
export type PageAddress = ReturnType<PageRequests['addressOf']>

interface PageRequestsOptions
  extends Pick<SiteHost, 'call' | 'describe'>,
    Pick<PageInput, 'origin' | 'cursor' | 'serverIdOf' | 'appearance' | 'placed'> {
  jar: CookieJar
}

export function createPageRequests(options: PageRequestsOptions) {
  const { origin, cursor, serverIdOf, appearance, placed, call, describe, jar } = options
  const localeOf = createLocaleOf(() => appearance().name)

  /**
   * The path and the declared parameters, from which links are made. Other parameters are left out: they may be secrets
   * of one visitor, and a page may be cached for all.
   */
  function addressOf(req: Request, parameters: readonly string[] = []) {
    const requested = new URL(origin + req.originalUrl)
    const query = queryOf(requested, parameters)
    const url = new URL(origin)
    // In links, a path that begins with two slashes would name another host.
    url.pathname = requested.pathname.replace(/^\/+/, '/')
    url.search = String(new URLSearchParams(query))
    return { url, search: requested.search, query, locale: localeOf(req, requested.searchParams.get('lang')) }
  }

  /** The visitor, by the cookie alone. Only pages that need a login check whether the session is still valid. */
  const visitorOf = (req: Request): User | undefined =>
    jar.read(req.headers.cookie, 'session').length > 0 ? {} : undefined

  return {
    addressOf,
    visitorOf,
    /** @throws ApiError 401, 403 if the visitor may not see the page */
    async read(page: Page, req: Request, res: Response): Promise<PageRequest> {
      const { url, query, locale } = addressOf(req, page.query)
      const api = createClient(({ method, path, ...input }) => call(req, res, { method, path }, input))
      const user = page.access ? await userOf(api, page.access) : visitorOf(req)
      const params = req.params as Record<string, string>
      const shared = { cursor, origin, serverIdOf, appearance, placed, describe }
      const typed = page.kept ? addressOf(req, page.kept).query : {}
      const none = { refused: undefined, once: undefined, knownVisitor: undefined }
      const input = { ...shared, ...none, api, user, params, query, typed, locale }
      return { url, locale, user, input }
    },
  }
}

async function userOf(api: Client, access: NonNullable<Page['access']>): Promise<User> {
  const { user: profile, isModerator, lacksSecondFactor } = await api.get('/auth/session')
  const user = { ...profile, isModerator }
  if (access !== 'session') requireStaff({ ...user, lacksSecondFactor }, access)
  return user
}
