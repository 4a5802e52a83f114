// The documented API from a page, with its errors.
import { createClient } from '../components/client.ts'

export class ApiError extends Error {
  /** Stable, for programs; the message is for people. */
  readonly code: string
  readonly fields: Record<string, unknown>

  constructor({ error, message, ...fields }: { error: string; message: string }) {
    super(message)
    this.code = error
    this.fields = fields
  }
}

/** @throws ApiError, TypeError without a connection */
export const api = createClient(async ({ method, path, params, query, body }) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query)
  const response = await fetch(`/api${filled}${search.size > 0 ? `?${search}` : ''}`, {
    method: method.toUpperCase(),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const reply = await response.json()
  if (!response.ok) throw new ApiError(reply)
  return reply
})
