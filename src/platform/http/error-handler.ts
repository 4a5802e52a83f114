// Turns a thrown error into a reply: a typed error as it is, an unreachable database as 503,
// anything else as 500 without details.
import type { ErrorRequestHandler, Request, Response } from 'express'
import { isOutage } from '../db/pg-errors.ts'
import type { Log } from '../observability/log.ts'
import { contextOf, type ErrorFormat } from './context.ts'
import { ApiError, BEARER_CHALLENGE, unavailable, validationFailed } from './errors.ts'
import { escapeHtml } from './escape-html.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { acceptsProblem, prefersHtml } from './negotiation.ts'
import { ERROR_TYPE, errorBody, PROBLEM_TYPE } from './problem.ts'
import { sendAndClose, sendJson, sendText } from './reply.ts'

/** About how long a restart of the database takes. */
const OUTAGE_RETRY_SECONDS = 5

const internal = () =>
  new ApiError(500, 'internal', 'Something went wrong on our side. Contact us with the X-Request-Id of this reply.')

/** How the site shows errors, if there is one. */
export interface SiteErrors {
  headers: FlatHeaders
  /** Undefined: errors have a plain page. @param requestId also in the log, for 500 */
  errorPage?(req: Request, error: ApiError, requestId: string): string
}

/** Last in the chain. Cuts the connection of a reply that has begun, so that no client takes it for complete. */
export function createErrorHandler(log: Log, pageHeaders: FlatHeaders, site?: SiteErrors): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = toApiError(thrown)
    const { id } = contextOf(res)
    if (error.status === 500) log.error({ err: thrown, requestId: id }, 'request failed')
    else if (error.status > 500) log.warn({ err: error.cause ?? error, requestId: id }, 'request refused')
    try {
      if (res.headersSent) res.destroy()
      else send(req, res, error)
    } catch (err) {
      log.error({ err, requestId: id }, 'the reply to a failed request can’t be made')
      res.destroy()
    }
  }

  function send(req: Request, res: Response, error: ApiError): void {
    const context = contextOf(res)
    const { status } = error
    const headers = headersOf(error)
    if (context.errorsAs === 'text')
      sendText(req, res, { status, type: 'plain', text: `${error.code}: ${error.message}\n`, headers })
    else if (context.errorsAs !== 'page' && !isShownInBrowser(req, context.errorsAs, error)) sendError(req, res, error)
    else if (site?.errorPage) {
      context.securityHeaders = site.headers
      const text = site.errorPage(req, error, context.id)
      sendText(req, res, { status, type: 'html', text, headers: [...headers, 'Vary', 'Accept, Accept-Language'] })
    } else {
      context.securityHeaders = pageHeaders
      const text = errorPage(error, context.id)
      sendText(req, res, { status, type: 'html', text, headers: [...headers, 'Vary', 'Accept'] })
    }
  }
}

/** Whether a browser requested a page. */
const isShownInBrowser = ({ method, headers }: Request, format: ErrorFormat, { status }: ApiError): boolean =>
  (format === 'negotiated' || status === 404 || status === 503) && method === 'GET' && prefersHtml(headers)

const TITLES: Record<number, string> = { 404: 'Not found', 503: 'Not available at the moment' }
const titleOf = (status: number) => TITLES[status] ?? (status < 500 ? 'This did not work' : 'Something went wrong')

function errorPage({ status, message }: ApiError, requestId: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${titleOf(status)}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/pages/page.css">
</head>
<body>
<main>
<h1>${titleOf(status)}</h1>
<p>${escapeHtml(message)}</p>${status === 500 ? `\n<p>X-Request-Id: <code>${escapeHtml(requestId)}</code></p>` : ''}
<p><a href="/">Home</a></p>
</main>
</body>
</html>
`
}

function sendError(req: Request, res: Response, error: ApiError): void {
  const { status } = error
  const value = errorBody(error, contextOf(res).id)
  const contentType = error.isProblem && acceptsProblem(req.headers) ? PROBLEM_TYPE : ERROR_TYPE
  if (status === 413) sendAndClose(req, res, { status, contentType, text: JSON.stringify(value) })
  else sendJson(req, res, { status, value, headers: headersOf(error), contentType })
}

/** RFC 9110 §15.5.2 asks for a challenge. Browsers open a dialog for Basic and Digest, not for Bearer. */
const CHALLENGE = { 'WWW-Authenticate': BEARER_CHALLENGE }

const headersOf = ({ status, headers }: ApiError): FlatHeaders =>
  Object.entries(status === 401 ? { ...CHALLENGE, ...headers } : headers).flat()

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  // Express throws this for a path it can't decode.
  if (thrown instanceof URIError)
    return validationFailed([{ path: 'url', message: 'is not valid percent-encoded text' }])
  // The operation may even have been carried out; only the reply is missing.
  if (isOutage(thrown))
    return unavailable('The database does not answer at the moment. Try again shortly.', OUTAGE_RETRY_SECONDS, thrown)
  return internal()
}
