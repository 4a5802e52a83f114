// The site: pages for visitors, rendered from what the API answers (docs/decisions/0036).
import express, { type Request, type Response } from 'express'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { type Endpoint, endpointHandler } from '../../platform/http/api.ts'
import { refuseForeignPages } from '../../platform/http/authorize.ts'
import { contextOf } from '../../platform/http/context.ts'
import { ApiError, methodNotAllowed, notFound } from '../../platform/http/errors.ts'
import { strongEtag } from '../../platform/http/etag.ts'
import { pageHeaders } from '../../platform/http/fast-path/security-headers.ts'
import type { Site, SiteHost } from '../../platform/http/http-app.ts'
import { addHeaders } from '../../platform/http/pipeline.ts'
import { type Rendered, sendPage, sendRedirect, sendRendered } from '../../platform/http/reply.ts'
import { loadAssets } from './assets.ts'
import { type Client, createClient } from './components/client.ts'
import { errorView } from './components/error.ts'
import type { RefusedForm } from './components/fields.ts'
import type { User } from './components/layout.ts'
import { queryOf } from './components/list-query.ts'
import { createSitemap, type Listed, robots } from './crawlers.ts'
import { createDocument } from './document.ts'
import { readForm } from './form.ts'
import { createLocaleOf } from './language.ts'
import type { Page, PageInput } from './page.ts'
import { createPageCache, type Shown } from './page-cache.ts'
import { PAGES } from './pages.ts'
import { createVisitorCookie } from './visitor-cookie.ts'

interface SiteOptions {
  settings: Pick<ProcessSettings, 'APP_SECRET' | 'PUBLIC_BASE_URL'>
  /** The directory in memory. @throws ApiError 503 while it is too old */
  fresh(): Shown & { snapshot: Listed }
  /** The position of the change feed. @throws ApiError like `fresh` */
  cursor(): string
}

const HTML = 'text/html; charset=utf-8'

export function createSite({ settings, fresh, cursor }: SiteOptions): (host: SiteHost) => Site {
  const { origin } = new URL(settings.PUBLIC_BASE_URL)
  const assets = loadAssets()
  const render = createDocument(assets)
  const localeOf = createLocaleOf()

  return ({ call, takeLimit, takeFileLimit, https }) => {
    const headers = pageHeaders(https, assets)
    const cache = createPageCache()
    const visitors = createVisitorCookie({ secret: settings.APP_SECRET, https })
    const router = express.Router({ caseSensitive: true, strict: true })
    const fixed = new Map<string, Endpoint>()
    const addressOf = (req: Request) => {
      const url = new URL(origin + req.originalUrl)
      // A path that begins with two slashes would be another host in links.
      if (url.pathname.startsWith('//')) url.pathname = url.pathname.replace(/^\/+/, '/')
      return { url, locale: localeOf(req, url.searchParams.get('lang')) }
    }
    const sessionCookie = `${https ? '__Host-' : ''}session=`
    /** Whether its session is still valid, the next page with a login finds out. */
    const visitorOf = (req: Request): User | undefined =>
      req.headers.cookie?.split(/; */).some((part) => part.startsWith(sessionCookie)) ? {} : undefined

    /** Everything that a request of a page says. */
    async function readRequest(page: Page, req: Request, res: Response) {
      const { url, locale } = addressOf(req)
      const api = createClient(({ method, path, ...input }) => call(req, res, { method, path }, input))
      const user = page.access ? await userOf(api, page.access) : undefined
      const input: PageInput = {
        api,
        cursor,
        params: req.params as Record<string, string>,
        query: queryOf(url, page.query ?? []),
        locale,
        refused: undefined,
        once: undefined,
        origin,
      }
      return { url, locale, input, user: user ?? visitorOf(req) }
    }

    async function renderPage(page: Page, { url, locale, input, user }: Awaited<ReturnType<typeof readRequest>>) {
      const data = await page.data(input)
      return render({
        locale,
        head: page.head(locale, data),
        content: page.view(locale, data),
        url,
        user,
        live: page.script && { script: `browser/${page.script}`, data, texts: page.texts },
      })
    }

    async function show(page: Page, req: Request, res: Response): Promise<void> {
      if (page.shared) {
        const { url, locale } = addressOf(req)
        const query = new URLSearchParams(queryOf(url, page.query ?? []))
        const key = `${locale.language} ${locale.isChosen} ${visitorOf(req) !== undefined} ${url.pathname}?${query}`
        const rendered = cache.get(key, fresh(), async () => renderPage(page, await readRequest(page, req, res)))
        sendRendered(req, res, rendered instanceof Promise ? await rendered : rendered, HTML)
      } else sendPage(req, res, 200, await renderPage(page, await readRequest(page, req, res)))
    }

    async function submit(page: Page, req: Request, res: Response): Promise<void> {
      refuseForeignPages(req, origin)
      const form = await readForm(req, res)
      const request = await readRequest(page, req, res)
      try {
        const visitor = () => {
          const { visitorId, setCookie } = visitors.idOf(req.headers.cookie)
          if (setCookie) addHeaders(res, ['Set-Cookie', setCookie])
          return visitorId
        }
        const next = (await page.post?.({ ...request.input, form, visitor })) ?? request.url.pathname
        if (typeof next === 'string') return sendRedirect(res, next, [], 303)
        sendPage(req, res, 200, await renderPage(page, { ...request, input: { ...request.input, once: next } }))
      } catch (error) {
        // 503: what the form needs is down or off, which the page says in place of “the directory is out of date”.
        if (!(error instanceof ApiError) || error.status === 500 || error.status === 404) throw error
        const { status, code, message, fields } = error
        const refused: RefusedForm = { code, message, fields, form: withoutSecrets(form) }
        sendPage(req, res, status, await renderPage(page, { ...request, input: { ...request.input, refused } }))
      }
    }

    for (const page of PAGES) {
      const path = page.path.replace(/\{(\w+)\}/g, ':$1')
      const handler = (handle: Endpoint): Endpoint => {
        const answer: Endpoint = async (req, res) => {
          try {
            await handle(req, res)
          } catch (error) {
            if (!(error instanceof ApiError && error.status === 401 && page.access)) throw error
            sendRedirect(res, `/login?${new URLSearchParams({ next: req.originalUrl })}`, [], 303)
          }
        }
        const run = endpointHandler(page.path, false, takeLimit, answer, 'page')
        return (req, res) => {
          contextOf(res).securityHeaders = headers
          return run(req, res)
        }
      }
      const get = handler((req, res) => show(page, req, res))
      const route = router.route(path).get(get)
      if (!path.includes(':')) fixed.set(path, get)
      if (page.post) route.post(handler((req, res) => submit(page, req, res)))
      const allow = page.post ? 'GET, HEAD, POST' : 'GET, HEAD'
      route.all(
        handler((req) => {
          throw methodNotAllowed(req.method, allow)
        }),
      )
    }
    const text = (path: string, type: string, body: (req: Request) => Rendered | Promise<Rendered> | undefined) =>
      router.get(
        path,
        endpointHandler(path, false, takeLimit, async (req, res) => {
          const rendered = await body(req)
          if (!rendered) throw notFound('There is no such part.')
          sendRendered(req, res, rendered, type)
        }),
      )
    const sitemap = createSitemap(origin, () => fresh().snapshot)
    text('/robots.txt', 'text/plain; charset=utf-8', () => small(robots(origin)))
    text('/sitemap.xml', 'application/xml', () => small(sitemap.index()))
    text('/sitemap-:part.xml', 'application/xml', ({ params }) => sitemap.part(Number(params.part)))
    router.get(
      '/assets/:version/*name',
      endpointHandler('/assets', false, takeFileLimit, async (req, res) => {
        const { version, name } = req.params as unknown as { version: string; name: string[] }
        const asset = await assets.read(version, name.join('/'))
        if (!asset) throw notFound('There is no such file.')
        contextOf(res).securityHeaders = headers
        sendRendered(req, res, asset.rendered, asset.contentType)
      }),
    )

    return {
      router,
      fixed,
      headers,
      errorPage(req, { status, message }) {
        const { url, locale } = addressOf(req)
        const { title, content } = errorView(locale, { status, message })
        return render({ locale, head: { title, noindex: true }, content, url, user: visitorOf(req) })
      },
    }
  }
}

function small(text: string): Rendered {
  const bytes = Buffer.from(text)
  return { bytes, etag: strongEtag(bytes), maxAgeSeconds: 600, gzip: undefined }
}

async function userOf(api: Client, access: NonNullable<Page['access']>): Promise<User> {
  const { user } = await api.get('/auth/session')
  if (access === 'admin' && !user.isAdmin) throw new ApiError(403, 'forbidden', 'Only administrators may do this.')
  return user
}

/** A page does not send back what must not be read from it. */
const withoutSecrets = (form: Record<string, string>) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !/password|token/i.test(name)))
