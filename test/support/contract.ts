// Holds every response the tests see against the OpenAPI document the API itself serves.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = Record<string, unknown>
interface Described {
  description: string
  headers?: Record<string, { required?: boolean }>
  content?: Record<string, unknown>
}
export interface ApiDocument extends Json {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> } & Json>>
  components: { responses: Record<string, Described>; schemas: Record<string, unknown> } & Json
}

export interface Exchange {
  method: string
  /** As requested, with the query. */
  target: string
  status: number
  headers: Headers
  body: string
}

export interface Contract {
  document: ApiDocument
  /** @throws Error when the operation, its status, its headers or its body are not as described */
  check(exchange: Exchange): void
}

/** What the parser refuses, whatever is asked for. */
const OF_PARSER = [408, 431]

/** What is answered before any operation is found. */
const WITHOUT_OPERATION: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  503: 'Unavailable',
}

export function createContract(document: ApiDocument): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'api' })

  function schemaAt(pointer: string[]): ValidateFunction {
    const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const validate = ajv.getSchema(`api#/${path}`)
    if (!validate) throw new Error(`no schema at ${pointer.join(' ')}`)
    return validate
  }

  function check(exchange: Exchange): void {
    const name = `${exchange.method} ${exchange.target} → ${exchange.status}`
    const fail = (why: string): never => {
      throw new Error(`${name}: ${why}\n${exchange.body.slice(0, 500)}`)
    }
    if (!exchange.headers.get('x-request-id')) fail('has no X-Request-Id')
    const path = describedPath(document, exchange.target.split('?', 1)[0] ?? '')
    const operations = path === undefined ? undefined : document.paths[path]
    if (exchange.method === 'OPTIONS' && operations && exchange.status === 204) {
      if (!exchange.headers.get('allow')) fail('has no Allow')
      return
    }
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase()
    const operation = OF_PARSER.includes(exchange.status) ? undefined : operations?.[method]
    const pointer = operation
      ? ['paths', path ?? '', method, 'responses', String(exchange.status)]
      : ['components', 'responses', WITHOUT_OPERATION[exchange.status] ?? '']
    const found = operation ? operation.responses[exchange.status] : document.components.responses[pointer[2] ?? '']
    if (!found || (!operation && exchange.status === 405 && !operations)) {
      fail('is not described')
      return
    }
    const ref = (found as { $ref?: string }).$ref
    const at = ref ? ref.slice(2).split('/') : pointer
    const described = ref ? document.components.responses[at[2] ?? ''] : (found as Described)
    if (!described) {
      fail(`${ref} does not exist`)
      return
    }
    for (const [header, description] of Object.entries(described.headers ?? {}))
      if (isRequired(document, description) && exchange.headers.get(header) === null) fail(`has no ${header}`)
    checkBody(exchange, described, at, fail)
  }

  function checkBody(exchange: Exchange, described: Described, at: string[], fail: (why: string) => never): void {
    const [mediaType] = Object.keys(described.content ?? {})
    if (exchange.method === 'HEAD' || mediaType === undefined) {
      if (exchange.body) fail('has a body')
      return
    }
    const contentType = exchange.headers.get('content-type') ?? ''
    if (contentType.split(';', 1)[0] !== mediaType) fail(`is ${contentType}, not ${mediaType}`)
    const value = mediaType === 'application/json' ? JSON.parse(exchange.body) : exchange.body
    const validate = schemaAt([...at, 'content', mediaType, 'schema'])
    if (!validate(value)) fail(ajv.errorsText(validate.errors))
  }

  return { document, check }
}

/** The document's path of an address, below `/api`, `/api/v1` or (for the operators' paths) the root. */
function describedPath(document: ApiDocument, path: string): string | undefined {
  const bases = [...document.servers.map(({ url }) => url), ''].sort((a, b) => b.length - a.length)
  for (const base of bases) {
    if (!path.startsWith(`${base}/`)) continue
    const rest = path.slice(base.length).split('/')
    const matching = Object.entries(document.paths).filter(([template, item]) => {
      const itemBase = (item.servers as unknown as { url: string }[] | undefined)?.[0]?.url
      const segments = template.split('/')
      return (
        (itemBase === '/') === (base === '') &&
        segments.length === rest.length &&
        segments.every((segment, i) => (segment.startsWith('{') ? rest[i] !== '' : segment === rest[i]))
      )
    })
    // A fixed path is meant before one with parameters.
    const [best] = matching.map(([template]) => template).sort((a, b) => a.split('{').length - b.split('{').length)
    if (best) return best
  }
  return undefined
}

function isRequired(document: ApiDocument, header: object): boolean {
  const ref = (header as { $ref?: string }).$ref
  const target = ref
    ? (document.components.headers as Record<string, { required?: boolean }>)[ref.split('/')[3] ?? '']
    : header
  return (target as { required?: boolean } | undefined)?.required ?? false
}
