// Calls the documented API from a page, converts its errors, and keeps the server's clock.
import { createClient } from '../components/client.ts'

export class ApiError extends Error {
  /** The code is stable, and for programs; the message is for people. */
  readonly code: string
  readonly fields: Record<string, unknown>
  /** The wait that `Retry-After` requests; 0 without the header. */
  readonly retryAfterMs: number

  constructor({ error, message, ...fields }: { error: string; message: string }, retryAfterMs = 0) {
    super(message)
    this.code = error
    this.fields = fields
    this.retryAfterMs = retryAfterMs
  }
}

/** The server's clock minus the visitor's. */
let skewMs = 0
/** `Date` is in whole seconds and arrives late, so a smaller difference means nothing. */
const MIN_SKEW_MS = 2_000

/** The server's time (epoch ms), estimated from its replies: a visitor's clock can be wrong by hours. */
export const serverNow = (): number => Date.now() + skewMs

function readClock(headers: Headers): void {
  // A reply with `max-age` can come from the browser's cache, so its date may be old.
  if (headers.get('cache-control')?.includes('max-age')) return
  const ahead = Date.parse(headers.get('date') ?? '') - Date.now()
  skewMs = Math.abs(ahead) >= MIN_SKEW_MS ? ahead : 0
}

/** @throws ApiError, with the code `no_connection` if the API did not reply */
export const api = createClient(async ({ method, path, params, query, body }) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query)
  const response = await fetch(`/api${filled}${search.size > 0 ? `?${search}` : ''}`, {
    method: method.toUpperCase(),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => undefined)
  const reply = await response?.json().catch(() => undefined)
  if (!response || !reply) throw new ApiError({ error: 'no_connection', message: 'The directory did not answer.' })
  readClock(response.headers)
  if (!response.ok) throw new ApiError(reply, Number(response.headers.get('retry-after')) * 1_000)
  return reply
})
