// Endpoints that show each kind of response, since no single feature has them all.
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { ApiError, notFound, unavailable } from '../../../src/platform/http/errors.ts'
import { type Operation, operation } from '../../../src/platform/http/operation.ts'
import { RenderedJson } from '../../../src/platform/http/reply-kinds.ts'

const pageBytes = Buffer.from(JSON.stringify({ items: Array.from({ length: 200 }, (_, i) => `item number ${i}`) }))
export const page = new RenderedJson(pageBytes, '"page-1"', { maxAgeSeconds: 1, gzip: gzipSync(pageBytes) })

const Item = z.object({ name: z.string(), size: z.int() }).meta({ id: 'SampleItem' })
const tag = 'Samples'

/** @param gate resolves when `/samples/slow` may answer */
export function sampleRoutes(gate: () => Promise<unknown> = () => sleep(0)): Operation[] {
  return [
    operation({
      method: 'get',
      path: '/samples/page',
      operationId: 'getSamplePage',
      tag,
      summary: 'Bytes rendered ahead',
      returns: z.object({ items: z.array(z.string()) }),
      crossOrigin: true,
      handle: () => page,
    }),
    operation({
      method: 'get',
      path: '/samples',
      operationId: 'listSamples',
      tag,
      summary: 'A query with a default and a range',
      query: z.object({
        limit: z.coerce.number().int().min(1).max(100).default(20),
        search: z.string().max(50).optional(),
      }),
      returns: z.object({ limit: z.int(), search: z.string(), padding: z.string() }),
      handle: ({ query }) => ({
        limit: query.limit,
        search: query.search ?? '',
        padding: 'x'.repeat(query.limit * 100),
      }),
    }),
    operation({
      method: 'get',
      path: '/lenient',
      operationId: 'getLeniently',
      tag,
      summary: 'A query that programs of others add parameters to',
      query: z.object({ limit: z.coerce.number() }),
      unknownInput: 'ignored',
      returns: z.object({ limit: z.int() }),
      handle: ({ query }) => query,
    }),
    operation({
      method: 'post',
      transaction: false,
      path: '/samples',
      operationId: 'createSample',
      tag,
      summary: 'A body',
      status: 201,
      body: Item,
      returns: Item,
      handle: ({ body }) => body,
    }),
    operation({
      method: 'get',
      path: '/samples/{id}',
      operationId: 'getSample',
      tag,
      summary: 'A parameter',
      params: z.object({ id: z.string() }),
      returns: z.object({ id: z.string() }),
      errors: [404],
      handle: ({ params }) => {
        if (params.id === 'missing') throw notFound('There is no such sample.')
        return { id: params.id }
      },
    }),
    operation({
      method: 'delete',
      transaction: false,
      path: '/samples/{id}',
      operationId: 'deleteSample',
      tag,
      summary: 'A second method on a path',
      params: z.object({ id: z.string() }),
      returns: z.object({ success: z.boolean() }),
      handle: () => ({ success: true }),
    }),
    operation({
      method: 'get',
      path: '/samples/broken',
      operationId: 'getBrokenSample',
      tag,
      summary: 'A bug',
      returns: z.object({}),
      handle: () => {
        throw new Error('connect ECONNREFUSED secret-host:5432')
      },
    }),
    operation({
      method: 'get',
      path: '/samples/unsendable',
      operationId: 'getUnsendableSample',
      tag,
      summary: 'An error with a header that can’t be sent',
      returns: z.object({}),
      handle: () => {
        throw new ApiError(400, 'validation_failed', 'Wrong.', { headers: { 'X-Sample': 'two\nlines' } })
      },
    }),
    operation({
      method: 'get',
      path: '/samples/undeclared',
      operationId: 'getUndeclaredSample',
      tag,
      summary: 'A reply with a field that was not declared',
      returns: z.object({ name: z.string() }),
      handle: () => ({ name: 'a', passwordHash: 'secret' }),
    }),
    operation({
      method: 'get',
      path: '/samples/wrong',
      operationId: 'getWrongSample',
      tag,
      summary: 'A reply of another shape',
      returns: z.object({ name: z.string() }),
      handle: () => ({ name: 1 }) as unknown as { name: string },
    }),
    operation({
      method: 'get',
      path: '/samples/unavailable',
      operationId: 'getUnavailableSample',
      tag,
      summary: 'Not possible at the moment',
      returns: z.object({}),
      handle: () => {
        throw unavailable('The samples are out of date.', 7)
      },
    }),
    operation({
      method: 'get',
      path: '/samples/slow',
      operationId: 'getSlowSample',
      tag,
      summary: 'Takes its time',
      returns: z.object({ done: z.boolean() }),
      handle: async () => {
        await gate()
        return { done: true }
      },
    }),
  ]
}
