// The documented API from a page, with its errors.
import type { Client } from '../../../../examples/client/client.ts'

export class ApiError extends Error {
  readonly status: number
  /** Stable, for programs; the message is for people. */
  readonly code: string
  readonly fields: Record<string, unknown>

  constructor(status: number, { error, message, ...fields }: { error: string; message: string }) {
    super(message)
    this.status = status
    this.code = error
    this.fields = fields
  }
}

interface Given {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

async function call(method: string, path: string, { path: params = {}, query = {}, body }: Given = {}) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const response = await fetch(`/api${filled}${search.size > 0 ? `?${search}` : ''}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const reply = await response.json()
  if (!response.ok) throw new ApiError(response.status, reply)
  return reply
}

const method = (name: string) => (path: string, given?: Given) => call(name, path, given)

/** @throws ApiError, TypeError without a connection */
export const api = {
  get: method('GET'),
  post: method('POST'),
  put: method('PUT'),
  patch: method('PATCH'),
  delete: method('DELETE'),
} as unknown as Client
