// The site: pages for visitors, rendered from what the API answers (docs/decisions/0036), and the API reference.
import express, { type Request, type Response, type Router } from 'express'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { createRouteHandler, type RouteHandler } from '../../platform/http/api.ts'
import { contextOf } from '../../platform/http/context.ts'
import { createCookieJar } from '../../platform/http/cookies.ts'
import { ApiError, methodNotAllowed } from '../../platform/http/errors.ts'
import { pageHeaders } from '../../platform/http/fast-path/security-headers.ts'
import type { Site, SiteHost } from '../../platform/http/http-app.ts'
import { sendRedirect } from '../../platform/http/reply.ts'
import type { Activity } from '../activity/index.ts'
import type { Appearance } from '../appearance/index.ts'
import { loadAssets } from './assets.ts'
import type { FindMonthsWithStandings, Listed } from './crawlers.ts'
import { createDocument } from './document.ts'
import { mountAssets, mountFiles } from './files.ts'
import type { Page } from './page.ts'
import type { Shown } from './page-cache.ts'
import { createPageReplies } from './page-replies.ts'
import { createPageRequests } from './page-request.ts'
import { PAGES, REFERENCE } from './pages.ts'
import { createVisitorCookie } from './visitor-cookie.ts'

interface SiteOptions {
  settings: Pick<ProcessSettings, 'APP_SECRET' | 'PUBLIC_BASE_URL' | 'SITE'>
  /** The directory in memory. @throws ApiError 503 while it is too old */
  requireFresh(): Shown & { snapshot: Listed }
  /** The position of the change feed. @throws ApiError like `requireFresh` */
  cursor(): string
  activity: Pick<Activity, 'count'>
  /** The site's current appearance. */
  appearance(): Appearance
  /** Servers with a running placement, the best places first. */
  placed(): Promise<readonly string[]>
  findMonthsWithStandings: FindMonthsWithStandings
}

export function createSite({
  settings,
  requireFresh,
  cursor,
  activity,
  appearance,
  placed,
  findMonthsWithStandings,
}: SiteOptions): (host: SiteHost) => Site {
  const { origin } = new URL(settings.PUBLIC_BASE_URL)
  const assets = loadAssets()
  const isOn = settings.SITE === 'on'
  const render = createDocument(assets, { withMenu: isOn, appearance })

  return (host) => {
    const { https } = host
    const headers = pageHeaders(https, assets)
    const serverIdOf = (address: string) => listedIdOf(requireFresh().snapshot, address)
    const jar = createCookieJar(https)
    const requests = createPageRequests({ ...host, jar, origin, cursor, serverIdOf, appearance, placed })
    const visitors = createVisitorCookie({ secret: settings.APP_SECRET, jar })
    const replies = createPageReplies({ origin, requests, render, visitors, appearance, requireFresh })

    const router = express.Router({ caseSensitive: true, strict: true })
    /** Counts a view, also of a page from the cache, and of one that the browser already has (304). */
    const countView = (req: Request, res: Response) => {
      const { 'user-agent': userAgent, 'sec-purpose': purpose = '' } = req.headers
      if (req.method !== 'GET' || purpose.includes('prefetch') || (res.statusCode !== 200 && res.statusCode !== 304))
        return
      const serverId = serverIdOf(String(req.params.id))
      activity.count({ serverId, action: 'view', clientKey: contextOf(res).clientKey, userAgent })
    }
    const handlersByPath = mountPages(router, isOn ? PAGES : REFERENCE, { ...host, headers, replies, countView })
    mountAssets(router, { ...host, headers, assets })
    if (!isOn) return { router, handlersByPath, headers }
    mountFiles(router, { ...host, headers, origin, listed: () => requireFresh().snapshot, findMonthsWithStandings })
    return { router, handlersByPath, headers, errorPage: replies.errorPage }
  }
}

/**
 * @param address an id, or words that end with a short id: `nordland-5f2c0b7d91ab`
 * @returns `address` if no server has it
 */
function listedIdOf({ slotOf, slotOfShort, idOf }: Listed, address: string): string {
  const lower = address.toLowerCase()
  const slot = slotOf(lower) ?? slotOfShort(lower.slice(lower.lastIndexOf('-') + 1))
  return slot === undefined ? address : idOf(slot)
}

interface PagesOptions extends Pick<SiteHost, 'limitRequest'>, Pick<Site, 'headers'> {
  replies: ReturnType<typeof createPageReplies>
  countView(req: Request, res: Response): void
}

/** @returns the GET handlers of paths without parameters */
function mountPages(
  router: Router,
  pages: readonly Page[],
  { limitRequest, headers, replies, countView }: PagesOptions,
): Site['handlersByPath'] {
  const handlersByPath: Site['handlersByPath'] = new Map()
  for (const page of pages) {
    const path = page.path.replace(/\{(\w+)\}/g, ':$1')
    /** Adds what all requests of the page have: the limits, the login and the headers. */
    const ofPage = (handle: RouteHandler): RouteHandler => {
      const run = createRouteHandler(
        { route: page.path, limitRequest, errorsAs: 'page' },
        withLogin(page, replies.loginPath, handle),
      )
      return (req, res) => {
        contextOf(res).securityHeaders = headers
        return run(req, res)
      }
    }
    const show: RouteHandler = (req, res) => replies.show(page, req, res)
    const get = ofPage(
      page.countsViews
        ? async (req, res) => {
            await show(req, res)
            countView(req, res)
          }
        : show,
    )
    const route = router.route(path).get(get)
    if (!path.includes(':')) handlersByPath.set(path, get)
    if (page.post) route.post(ofPage((req, res) => replies.submit(page, req, res)))
    const allow = page.post ? 'GET, HEAD, POST' : 'GET, HEAD'
    route.all(
      ofPage((req) => {
        throw methodNotAllowed(req.method, allow)
      }),
    )
  }
  return handlersByPath
}

/**
 * Leads visitors without a session to `/login` instead of answering 401. A form gets the 401: when the visitor reloads
 * the page after the login, the browser sends the form again.
 */
const withLogin =
  (page: Page, loginPath: (req: Request) => string, handle: RouteHandler): RouteHandler =>
  async (req, res) => {
    try {
      await handle(req, res)
    } catch (error) {
      const isLoginMissing = error instanceof ApiError && error.status === 401 && page.access
      if (!isLoginMissing || req.method === 'POST') throw error
      sendRedirect(res, loginPath(req), { status: 303 })
    }
  }
