// A typed client of the API in one file: paths, parameters, bodies and replies come from its OpenAPI document.
import type { paths } from './api.d.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** Paths with this method. */
type PathWith<M extends Method> = { [P in keyof paths]: paths[P][M] extends object ? P : never }[keyof paths]
type Operation<M extends Method, P extends PathWith<M>> = paths[P][M]

type ParametersOf<O> = O extends { parameters: infer Parameters }
  ? Pick<Parameters, keyof Parameters & ('path' | 'query')>
  : object
type Json<Body> = { content: { 'application/json': Body } }
type BodyOf<O> = O extends { requestBody: Json<infer Body> }
  ? { body: Body }
  : O extends { requestBody?: infer Optional }
    ? Exclude<Optional, undefined> extends infer Given
      ? [Given] extends [never]
        ? object
        : Given extends Json<infer Body>
          ? { body?: Body }
          : object
      : object
    : object
type Input<M extends Method, P extends PathWith<M>> = ParametersOf<Operation<M, P>> & BodyOf<Operation<M, P>>
/** No second argument if the operation needs none. */
type Given<I> = object extends I ? [input?: I] : [input: I]

type Responses<O> = O extends { responses: infer R } ? R : never
type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : never
/** The body of the operation's success reply. */
export type Answer<M extends Method, P extends PathWith<M>> = JsonOf<
  Responses<Operation<M, P>>[keyof Responses<Operation<M, P>> & (200 | 201)]
>

/** The API's errors: `code` is stable, `message` is for people, `fields` has the error's other fields. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly fields: Record<string, unknown>

  constructor(status: number, { error, message, ...fields }: { error: string; message: string }) {
    super(message)
    this.status = status
    this.code = error
    this.fields = fields
  }
}

/** A balancer in front of the directory answers without JSON. */
async function errorOf(response: Response): Promise<ApiError> {
  const unknown = { error: `http_${response.status}`, message: response.statusText }
  return new ApiError(response.status, await response.json().catch(() => unknown))
}

export interface ClientOptions {
  /** Origin of the directory: `https://directory.example`. */
  baseUrl: string
  /** `<API_KEY>.<SECRET>`; without a key the limits of the client address apply. */
  credential?: string
}

export type Client = ReturnType<typeof createClient>

const MAX_ATTEMPTS = 3

export function createClient({ baseUrl, credential }: ClientOptions) {
  async function call<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    ...[input]: Given<Input<M, P>>
  ): Promise<Answer<M, P>> {
    const given = (input ?? {}) as { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
    const filled = String(path).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.path?.[name] ?? ''))
    const url = new URL(`/api/v1${filled}`, baseUrl)
    for (const [name, value] of Object.entries(given.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, {
        method: method.toUpperCase(),
        headers: {
          ...(credential ? { authorization: `Bearer ${credential}` } : {}),
          ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
      })
      if (response.ok) return (await response.json()) as Answer<M, P>
      const error = await errorOf(response)
      // Only reads are retried: it is unknown whether a failed write took effect. The 429 of a vote lasts a day.
      const mayWait = method === 'get' && (response.status === 429 || response.status === 503)
      if (!mayWait || attempt >= MAX_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(response.headers.get('retry-after') ?? 1)))
    }
  }

  return {
    get: <P extends PathWith<'get'>>(path: P, ...input: Given<Input<'get', P>>) => call('get', path, ...input),
    post: <P extends PathWith<'post'>>(path: P, ...input: Given<Input<'post', P>>) => call('post', path, ...input),
    put: <P extends PathWith<'put'>>(path: P, ...input: Given<Input<'put', P>>) => call('put', path, ...input),
    patch: <P extends PathWith<'patch'>>(path: P, ...input: Given<Input<'patch', P>>) => call('patch', path, ...input),
    delete: <P extends PathWith<'delete'>>(path: P, ...input: Given<Input<'delete', P>>) =>
      call('delete', path, ...input),
  }
}
