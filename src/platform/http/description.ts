// Serves the OpenAPI document at /api/openapi.json and /api/v1/openapi.json.
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { strongEtag } from './etag.ts'
import { describeApi } from './openapi.ts'
import { type Operation, operation } from './operation.ts'
import { RenderedJson } from './reply-kinds.ts'

export interface Description {
  /** The operation that serves the document. */
  self: Operation
  /** The OpenAPI document. @throws Error for an invalid declaration */
  describe(): object
}

/**
 * The document is made when it is first asked for: that takes as long as a tenth of a process' start, and most
 * processes are never asked. It describes this endpoint too.
 */
export function createDescription(operations: Operation[], options: Parameters<typeof describeApi>[1]): Description {
  let document: object | undefined
  let rendered: RenderedJson | undefined
  const describe = () => {
    document ??= describeApi([...operations, self], options)
    return document
  }
  const self = operation({
    method: 'get',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'Operators',
    summary: 'This description of the API, in OpenAPI 3.1',
    returns: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
    crossOrigin: true,
    handle: () => {
      rendered ??= render(describe())
      return rendered
    },
  })
  return { self, describe }
}

function render(document: object): RenderedJson {
  const bytes = Buffer.from(JSON.stringify(document))
  return new RenderedJson(bytes, strongEtag(bytes), { maxAgeSeconds: 60, gzip: gzipSync(bytes) })
}
