// The documented API as pages use it: the same calls on the server and in the browser, typed by the OpenAPI document.
import type { Client } from '../../../../examples/client/client.ts'

export type { Client }

/** What an operation is called with, its query as text. */
export interface Call {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** With parameters in braces. */
  path: string
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

interface RequestOptions {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

export function createClient(send: (call: Call) => unknown): Client {
  const method =
    (name: Call['method']) =>
    (path: string, { path: params = {}, query = {}, body }: RequestOptions = {}) => {
      const set = Object.entries(query).filter(([, value]) => value !== undefined)
      const asText = Object.fromEntries(set.map(([key, value]) => [key, String(value)]))
      return send({ method: name, path, params, query: asText, body })
    }
  const [get, post, put, patch, remove] = (['get', 'post', 'put', 'patch', 'delete'] as const).map(method)
  return { get, post, put, patch, delete: remove } as unknown as Client
}
