// Answers the requests of pages: shows a page, handles its form, and renders the page of an error.
import type { Request, Response } from 'express'
import { refuseForeignPages } from '../../platform/http/authorize.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { sendRendered } from '../../platform/http/rendered-reply.ts'
import { sendPage, sendRedirect } from '../../platform/http/reply.ts'
import { addHeaders } from '../../platform/http/send-result.ts'
import { MAX_SITE_PATH } from '../../platform/http/site-path.ts'
import { errorView } from './components/error.ts'
import type { RefusedForm } from './components/fields.ts'
import { translated } from './components/problems.ts'
import type { Listed } from './crawlers.ts'
import type { createDocument } from './document.ts'
import { readSentForm } from './form.ts'
import { type Page, type PageInput, PermanentRedirect, type ShownOnce, TemporaryRedirect } from './page.ts'
import { createPageCache, type Shown } from './page-cache.ts'
import type { PageAddress, PageRequest, PageRequests } from './page-request.ts'
import type { createVisitorCookie } from './visitor-cookie.ts'

const HTML = 'text/html; charset=utf-8'

interface PageRepliesOptions {
  origin: string
  requests: PageRequests
  render: ReturnType<typeof createDocument>
  visitors: ReturnType<typeof createVisitorCookie>
  appearance: PageInput['appearance']
  /** The directory in memory. @throws ApiError 503 while it is too old */
  requireFresh(): Shown & { snapshot: Pick<Listed, 'games'> }
}

/** Parameters that say what the form sent before has done, which the next one's page must not repeat. */
const OUTCOME_PARAMETERS = ['saved', 'done', 'n']

const withoutOutcome = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !OUTCOME_PARAMETERS.includes(name)))

export function createPageReplies({
  origin,
  requests,
  render,
  visitors,
  appearance,
  requireFresh,
}: PageRepliesOptions) {
  const cache = createPageCache()

  async function renderPage(page: Page, { url, locale, input, user }: PageRequest): Promise<string> {
    const data = await page.data(input)
    return render({
      locale,
      head: page.head(locale, data),
      content: page.view(locale, data),
      url,
      user,
      live: page.script && {
        script: `browser/${page.script}`,
        data: page.embedded?.(data) ?? data,
        texts: page.texts,
      },
    })
  }

  /** Renders the page of a form again: with what it shows once, or with the form that was refused. */
  function renderAfterForm(page: Page, request: PageRequest, shown: { once: ShownOnce } | { refused: RefusedForm }) {
    const { input } = request
    const query = withoutOutcome(input.query)
    return renderPage(page, { ...request, input: { ...input, query, typed: {}, ...shown } })
  }

  /** Sends a page that is the same for all visitors, from the cache while the directory has not changed. */
  function showShared(page: Page, req: Request, res: Response, { url, locale }: PageAddress): void | Promise<void> {
    const hasSession = requests.visitorOf(req) !== undefined
    const shown = `${locale.language} ${locale.isChosen} ${hasSession} ${appearance().version}`
    const key = `${shown} ${url.pathname}${url.search}`
    const rendered = cache.get(key, requireFresh(), async () => renderPage(page, await requests.read(page, req, res)))
    if (!(rendered instanceof Promise)) return sendRendered(req, res, rendered, HTML)
    return rendered.then((done) => sendRendered(req, res, done, HTML))
  }

  /** Sends a page that is for this visitor only. */
  async function showOwn(page: Page, req: Request, res: Response): Promise<void> {
    const request = await requests.read(page, req, res)
    const knownVisitor = visitors.knownIn(req.headers.cookie)
    sendPage(req, res, 200, await renderPage(page, { ...request, input: { ...request.input, knownVisitor } }))
  }

  /** The visitor's id for a vote without scripts. Its cookie is set at the first use. */
  function visitorIdOf(req: Request, res: Response): string {
    const { visitorId, setCookie } = visitors.idOf(req.headers.cookie)
    if (setCookie) addHeaders(res, [...setCookie])
    return visitorId
  }

  /** The address of the login, which leads back to the requested one. */
  const loginPath = (req: Request): string => requests.addressOf(req).locale.href('/login', { next: req.originalUrl })

  /** Leads a visitor whose rights need a second factor to the page that sets one up. */
  function toSecondFactor(page: Page, req: Request, res: Response): void {
    const { locale } = requests.addressOf(req, page.query)
    sendRedirect(res, locale.href('/account/second-factor'), { status: 303 })
  }

  return {
    async show(page: Page, req: Request, res: Response): Promise<void> {
      try {
        const address = requests.addressOf(req, page.query)
        const isShared = page.shared && !page.results?.includes(address.query.done ?? '')
        // An empty directory shows administrators their first steps, so its page is not the same for all.
        if (isShared && requireFresh().snapshot.games.size > 0) return await showShared(page, req, res, address)
        await showOwn(page, req, res)
      } catch (error) {
        if (error instanceof TemporaryRedirect) return sendRedirect(res, error.path)
        if (hasCode(error, 'second_factor_required')) return toSecondFactor(page, req, res)
        if (!(error instanceof PermanentRedirect)) throw error
        const { locale, query } = requests.addressOf(req, page.query)
        sendRedirect(res, locale.href(error.path, query), { status: 301 })
      }
    },

    /** Redirects to where `post` leads, shows its result once, or shows the page again with the refused form. */
    async submit(page: Page, req: Request, res: Response): Promise<void> {
      refuseForeignPages(req, origin)
      const request = await requests.read(page, req, res).catch((error: unknown) => {
        if (!hasCode(error, 'second_factor_required')) throw error
      })
      if (!request) return toSecondFactor(page, req, res)
      const { fields: form, file } = await readSentForm(req, res, page.maxFileBytes)
      try {
        const visitor = () => visitorIdOf(req, res)
        const next = (await page.post?.({ ...request.input, form, file, visitor })) ?? request.url.pathname
        if (typeof next === 'string') return sendRedirect(res, next, { status: 303 })
        sendPage(req, res, 200, await renderAfterForm(page, request, { once: next }))
      } catch (error) {
        if (hasCode(error, 'second_factor_required')) return toSecondFactor(page, req, res)
        if (hasCode(error, 'confirmation_needed')) {
          const next = addressAfterConfirmation(page, request.url, form)
          return sendRedirect(res, request.locale.href('/account/confirm', { next }), { status: 303 })
        }
        // The page itself reports a 503: a service that the form needs is down or off. The error page would say that
        // the directory is out of date.
        if (!(error instanceof ApiError) || error.status === 500 || error.status === 404) throw error
        const { status, code, message, fields } = error
        const refused = translated(request.locale, { code, message, fields, form: withoutSecrets(form) })
        sendPage(req, res, status, await renderAfterForm(page, request, { refused }))
      }
    },

    loginPath,

    errorPage(req: Request, { status, message, fields, headers }: ApiError, requestId: string): string {
      const { url, search, locale } = requests.addressOf(req)
      const now = Date.now()
      const { 'Retry-After': seconds } = headers
      const { title, content } = errorView(locale, {
        status,
        message,
        details: status === 400 ? (fields.details as { path: string }[] | undefined) : undefined,
        retryAt: status === 429 && seconds ? new Date(now + Number(seconds) * 1000).toISOString() : undefined,
        now,
        requestId,
        address: url.pathname + search,
        loginPath: loginPath(req),
      })
      return render({ locale, head: { title, noindex: true }, content, url, user: requests.visitorOf(req) })
    },
  }
}

const hasCode = (error: unknown, code: string) => error instanceof ApiError && error.code === code

/** The address that leads back to a page after a confirmation, with the fields of its form that the page keeps. */
function addressAfterConfirmation(page: Page, url: URL, form: Record<string, string>): string {
  const query = withoutOutcome(Object.fromEntries(url.searchParams))
  const kept = Object.entries(form).filter(([name, value]) => page.kept?.includes(name) && value !== '')
  const whole = addressWith(url, { ...query, ...Object.fromEntries(kept) })
  return whole.length <= MAX_SITE_PATH ? whole : addressWith(url, query)
}

function addressWith({ pathname }: URL, query: Record<string, string>): string {
  const search = new URLSearchParams(query)
  return search.size > 0 ? `${pathname}?${search}` : pathname
}

/** The form without passwords and tokens, which a page must not send back. */
const withoutSecrets = (form: Record<string, string>) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !/password|token/i.test(name)))
