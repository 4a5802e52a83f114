// The documented API as pages use it: the same calls on the server and in the browser, typed by the OpenAPI document.
import type { Request, Response } from 'express'
import type { Client } from '../../../examples/client/client.ts'
import type { CallOperation } from '../../platform/http/api.ts'

export type { Client }

interface Given {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Calls operations in this process as the visitor of a page, without a request over the network. */
export function createCaller(call: CallOperation, req: Request, res: Response): Client {
  const method =
    (name: 'get' | 'post' | 'put' | 'patch' | 'delete') =>
    (path: string, { path: params = {}, query = {}, body }: Given = {}) => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined)
      return call(
        req,
        res,
        { method: name, path },
        {
          params,
          query: Object.fromEntries(given.map(([key, value]) => [key, String(value)])),
          ...(body === undefined ? {} : { body }),
        },
      )
    }
  return {
    get: method('get'),
    post: method('post'),
    put: method('put'),
    patch: method('patch'),
    delete: method('delete'),
  } as unknown as Client
}
