// The documented API as pages use it: the same calls on the server and in the browser, typed by the OpenAPI document.
import type { paths } from '../api.d.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** Paths with this method. */
type PathWith<M extends Method> = { [P in keyof paths]: paths[P][M] extends object ? P : never }[keyof paths]

type ParametersOf<Operation> = Operation extends { parameters: infer Parameters }
  ? Pick<Parameters, keyof Parameters & ('path' | 'query')>
  : object
/** A file is passed as its bytes. */
type SentOf<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : Uint8Array
type JsonOf<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never
/** The body of a request; an optional body may be left out. */
type BodyOf<Operation> = Operation extends { requestBody: infer Body }
  ? { body: SentOf<Body> }
  : Operation extends { requestBody?: infer Body }
    ? [Exclude<Body, undefined>] extends [never]
      ? object
      : { body?: JsonOf<Exclude<Body, undefined>> }
    : object
type Input<Operation> = ParametersOf<Operation> & BodyOf<Operation>

/** The body of an operation's success reply. */
type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>
  : never

/** The success reply of an operation. */
export type Answer<M extends Method, P extends PathWith<M>> = AnswerOf<paths[P][M]>

/** The type of a method. The second argument is optional if the operation needs no input. */
type CallOf<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...input: object extends Input<paths[P][M]> ? [input?: Input<paths[P][M]>] : [input: Input<paths[P][M]>]
) => Promise<AnswerOf<paths[P][M]>>

export type Client = { [M in Method]: CallOf<M> }

/** A call of an operation, with its query as text. */
export interface Call {
  method: Method
  /** The path with parameters in braces: `/servers/{id}`. */
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
    (name: Method) =>
    (path: string, { path: params = {}, query = {}, body }: RequestOptions = {}) => {
      const set = Object.entries(query).filter(([, value]) => value !== undefined)
      const asText = Object.fromEntries(set.map(([key, value]) => [key, String(value)]))
      return send({ method: name, path, params, query: asText, body })
    }
  const [get, post, put, patch, remove] = (['get', 'post', 'put', 'patch', 'delete'] as const).map(method)
  return { get, post, put, patch, delete: remove } as unknown as Client
}
