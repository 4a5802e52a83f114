// A span for each request, around the whole app: while traces are off, requests do not pass here.
import type { RequestListener } from 'node:http'
import { withCause } from '../observability/cause.ts'
import type { Tracing } from '../observability/tracing.ts'
import { contextOf } from './context.ts'
import { isHealthPath } from './health.ts'

/** A caller's `traceparent` is not read: callers are the public, and would decide what is recorded. */
export const traceRequests =
  (tracing: Tracing, handle: RequestListener): RequestListener =>
  (req, res) => {
    const [path = ''] = (req.url ?? '').split('?', 1)
    if (isHealthPath(path)) return handle(req, res)
    const span = tracing.start({ name: 'request', kind: 'server', parent: undefined })
    res.once('close', () => {
      const { id, method, route } = contextOf(res)
      span.end({
        name: route ? `${method} ${route}` : method,
        hasFailed: res.statusCode >= 500,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': res.statusCode,
          'directory.request_id': id,
        },
      })
    })
    withCause({ traceparent: span.traceparent }, () => handle(req, res))
  }
