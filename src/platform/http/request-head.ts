// What HTTP requires of a request's head that its parser does not check.
import type { IncomingMessage } from 'node:http'
import { ApiError } from './errors.ts'

/** RFC 3986 §3.2.2: a name or an address, and a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** @returns why a request is refused whatever it asks for */
export function headErrorOf({ headers, rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  const { host, expect } = headers
  // RFC 9112 §3.2
  if (host === undefined ? httpVersion === '1.1' : !HOST.test(host) || hasSecondHost(rawHeaders))
    return new ApiError(400, 'malformed_request', 'A request must have one Host header with a valid host.')
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return new ApiError(417, 'expectation_failed', 'The only expectation that can be met is `Expect: 100-continue`.')
  return undefined
}

/** `headers` has only the first. */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
