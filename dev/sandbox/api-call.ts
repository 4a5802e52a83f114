// A call of the provider's API: how one is declared and found, its parameters, and its errors in
// the provider's wording.
import { type Fields, textAt } from './form.ts'

export interface ApiRequest {
  method: string
  /** Segments of the path below `/v1`. */
  path: string[]
  fields: Fields
}

/** A call: its method and path, as `GET refunds/{id}`, and its reply. */
export interface ApiCall {
  call: string
  /** @param id of the path; empty if it has none. @throws ApiFailure */
  answer(fields: Fields, id: string): object
}

/** An error reply with the provider's wording. */
export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly status: number
  readonly error: Record<string, string>
  /** Whether the call had begun to run, not only its parameters' check. Then its idempotency key keeps this reply. */
  readonly hasRun: boolean

  constructor(status: number, error: Record<string, string>, hasRun = false) {
    super(error.message)
    this.status = status
    this.error = error
    this.hasRun = hasRun
  }
}

export const noSuch = (what: string, id: string, param = 'id', status = 404) =>
  new ApiFailure(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })

export const invalid = (message: string, param?: string) =>
  new ApiFailure(400, { type: 'invalid_request_error', message, ...(param ? { param } : {}) })

/** Answers each request by the call that it is. */
export function createCalls(calls: readonly ApiCall[]) {
  /** @throws ApiFailure 404 for a call that is not among them */
  return function answer({ method, path, fields }: ApiRequest): object {
    const segments = path.filter(Boolean)
    for (const { call, answer: answerCall } of calls) {
      const [ofMethod, pattern = ''] = call.split(' ')
      const id = ofMethod === method ? matchPath(pattern.split('/'), segments) : undefined
      if (id !== undefined) return answerCall(fields, id)
    }
    throw new ApiFailure(404, {
      type: 'invalid_request_error',
      message: `The sandbox does not have ${method} /v1/${segments.join('/')}.`,
    })
  }
}

/** @returns the id in the path, empty if the pattern has none; undefined if the path does not match */
function matchPath(pattern: string[], path: string[]): string | undefined {
  if (pattern.length !== path.length) return undefined
  if (!pattern.every((segment, n) => segment === '{id}' || segment === path[n])) return undefined
  return path[pattern.indexOf('{id}')] ?? ''
}

/** @throws ApiFailure 404 */
export function found<T>(all: Record<string, T>, what: string, id: string): T {
  const object = Object.hasOwn(all, id) ? all[id] : undefined
  if (!object) throw noSuch(what, id)
  return object
}

/** @throws ApiFailure 400 if there is no text at the path */
export function required(fields: Fields, ...path: string[]): string {
  const text = textAt(fields, ...path)
  if (!text) throw invalid(`Missing required param: ${path.join('.')}.`, path.join('.'))
  return text
}

const DEFAULT_LIST_LIMIT = 10

export const list = (data: object[], url: string) => ({ object: 'list', url, has_more: false, data })

/** One page of a list, newest first. */
export function listPage<T extends { id: string; created: number }>(all: T[], fields: Fields, url: string) {
  const since = Number(textAt(fields, 'created', 'gte') ?? 0)
  const newest = all.filter(({ created }) => created >= since).reverse()
  const after = textAt(fields, 'starting_after')
  const rest = newest.slice(newest.findIndex(({ id }) => id === after) + 1)
  const data = rest.slice(0, Number(textAt(fields, 'limit') ?? DEFAULT_LIST_LIMIT))
  return { ...list(data, url), has_more: rest.length > data.length }
}
