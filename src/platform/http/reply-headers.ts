// The headers that every reply has.
import type { Response } from 'express'
import { contextOf } from './context.ts'
import { cachedHeaderLines, uncheckedHeaderLines } from './fast-path/reply-head.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { rateLimitHeaders } from './limit-headers.ts'

/** Headers of every reply. Marks the connection for closing when the process is stopping. */
export function commonHeaders(res: Response): FlatHeaders {
  closeIfLast(res)
  const { securityHeaders, corsHeaders, operationHeaders, limitCounts, id } = contextOf(res)
  const limitHeaders = rateLimitHeaders(limitCounts)
  return [...securityHeaders, ...corsHeaders, ...operationHeaders, ...limitHeaders, 'X-Request-Id', id]
}

/** The same as lines of a head: what many replies share is made once. */
export function commonLines(res: Response): string {
  closeIfLast(res)
  const { securityHeaders, corsHeaders, operationHeaders, limitCounts, id } = contextOf(res)
  const shared =
    cachedHeaderLines(securityHeaders) + cachedHeaderLines(corsHeaders) + cachedHeaderLines(operationHeaders)
  return shared + uncheckedHeaderLines(rateLimitHeaders(limitCounts)) + uncheckedHeaderLines(['X-Request-Id', id])
}

function closeIfLast(res: Response): void {
  if (contextOf(res).isLast()) res.shouldKeepAlive = false
}

/** Sets headers of replies that Express or a library writes. `Set-Cookie` and `Link` may occur more than once. */
export function setHeaders(res: Response, headers: FlatHeaders): void {
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2)
    if (name === 'Set-Cookie' || name === 'Link') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
}
