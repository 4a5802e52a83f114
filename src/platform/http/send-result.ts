// Sends what a handler returned, in the form that the operation declares.
import type { Request, Response } from 'express'
import { contextOf } from './context.ts'
import { allowStyle, type FlatHeaders } from './fast-path/security-headers.ts'
import type { Operation } from './operation.ts'
import { linksOf, type PagePosition } from './paging.ts'
import { sendRendered } from './rendered-reply.ts'
import { sendFile, sendJson, sendRedirect, sendStream, sendText } from './reply.ts'
import { EventStream, Redirect, RenderedFile, RenderedJson, Reply, StreamedFile } from './reply-kinds.ts'

/** @param options.checkRendered whether replies rendered ahead are checked against `returns` */
export function createResultSender(operation: Operation, { checkRendered }: { checkRendered: boolean }) {
  const { returns, status = 200, produces } = operation
  const isPaged = operation.query !== undefined && 'page' in operation.query.shape
  const checked = new WeakSet<RenderedJson>()

  return function send(req: Request, res: Response, result: unknown): void | Promise<void> {
    const links = isPaged ? linkHeader(req.originalUrl ?? req.url, result) : undefined
    if (links) addHeaders(res, links)
    if (result instanceof RenderedJson) {
      if (checkRendered && !checked.has(result)) {
        returns.decode(result.parse() as never)
        checked.add(result)
      }
      sendRendered(req, res, result)
    } else if (result instanceof RenderedFile) {
      const context = contextOf(res)
      if (result.styleHash) context.securityHeaders = allowStyle(context.securityHeaders, result.styleHash)
      sendRendered(req, res, result, produces)
    } else if (result instanceof StreamedFile) return sendFile(req, res, result, produces)
    else if (result instanceof EventStream) sendStream(req, res, result)
    else if (result instanceof Redirect) sendRedirect(res, result.location, { headers: result.headers.flat() })
    else if (result instanceof Reply) sendReply(req, res, result)
    else if (produces === 'text/plain')
      sendText(req, res, { status, type: 'plain', text: String(returns.encode(result)) })
    else if (produces === 'text/csv') sendText(req, res, { status, type: 'csv', text: String(returns.encode(result)) })
    else sendJson(req, res, { status, value: returns.encode(result) })
  }

  function sendReply(req: Request, res: Response, reply: Reply<unknown>): void {
    const headers = reply.headers.flat()
    sendJson(req, res, { status: reply.status ?? status, value: returns.encode(reply.body), headers })
  }
}

export function addHeaders(res: Response, headers: FlatHeaders): void {
  const context = contextOf(res)
  context.operationHeaders = context.operationHeaders.length ? [...context.operationHeaders, ...headers] : headers
}

/** The header of a longer address is not kept: the caches of pages do not count its bytes. */
const KEPT_URL_CHARACTERS = 200

/** The header repeats the address up to four times, and clients and proxies refuse headers of more than 8 or 16 kB. */
const MAX_LINKED_URL_CHARACTERS = 1500

/** The header of a page. A page rendered ahead keeps it, because many clients ask for it by the same address. */
function linkHeader(url: string, result: unknown): FlatHeaders | undefined {
  const { pagination } = result as { pagination?: PagePosition }
  if (!pagination || url.length > MAX_LINKED_URL_CHARACTERS) return undefined
  if (!(result instanceof RenderedJson) || url.length > KEPT_URL_CHARACTERS) return ['Link', linksOf(url, pagination)]
  if (result.links?.url !== url) result.links = { url, header: ['Link', linksOf(url, pagination)] }
  return result.links.header
}
