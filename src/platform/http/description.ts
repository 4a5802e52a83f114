// Serves the OpenAPI document at /api/openapi.json and /api/v1/openapi.json.
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { strongEtag } from './etag.ts'
import { describeApi } from './openapi.ts'
import { type Operation, operation } from './operation.ts'
import { RenderedJson } from './reply-kinds.ts'

/**
 * Renders the document at the start, so that an invalid declaration stops it. The document describes this endpoint too.
 */
export function createDescriptionRoute(
  routes: Operation[],
  options: Parameters<typeof describeApi>[1],
): { self: Operation; document: object } {
  let rendered: RenderedJson | undefined
  const self = operation({
    method: 'get',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'Operators',
    summary: 'This description of the API, in OpenAPI 3.1',
    returns: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
    crossOrigin: true,
    handle: () => {
      if (!rendered) throw new Error('the description is not rendered')
      return rendered
    },
  })
  const document = describeApi([...routes, self], options)
  const bytes = Buffer.from(JSON.stringify(document))
  const etag = strongEtag(bytes)
  rendered = new RenderedJson(bytes, etag, { maxAgeSeconds: 60, gzip: gzipSync(bytes) })
  return { self, document }
}
