// Checks every response of the tests against the OpenAPI document that the API serves.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = Record<string, unknown>
interface Described {
  description: string
  content?: Record<string, unknown>
}
/** Codes by status. */
type Codes = Record<string, string[] | undefined>
export interface ApiDocument extends Json {
  openapi: string
  servers: { url: string }[]
  /** Errors that may be sent before routing. */
  'x-errors': Codes
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, unknown>; 'x-errors'?: Codes } & Json>
  >
  components: { responses: Record<string, Described>; schemas: Record<string, unknown> } & Json
}

export interface Exchange {
  method: string
  /** Path with the query. */
  target: string
  status: number
  headers: Headers
  body: string
}

export interface Contract {
  document: ApiDocument
  /** @throws Error when the operation, its status, its headers or its body differ from the document */
  check(exchange: Exchange): void
}

/** Statuses of requests that are refused by their head, for any path. */
const OF_HEAD = [408, 417, 431]

/** Headers that every response with the status has. */
const HEADERS: Record<number, string> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
}

/** The format of our timestamps; the document only says date-time. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** By document: compiling its schemas takes longer than starting the API that serves it. */
const known = new Map<string, Contract>()

export function createContract(document: ApiDocument): Contract {
  const text = JSON.stringify(document)
  const contract = known.get(text) ?? compile(document)
  known.set(text, contract)
  return contract
}

function compile(document: ApiDocument): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addFormat('date-time', TIMESTAMP)
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
    const path = describedPath(document, (exchange.target.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, ''))
    const operations = path === undefined ? undefined : document.paths[path]
    if (exchange.method === 'OPTIONS' && operations && exchange.status === 204) {
      if (!exchange.headers.get('allow')) fail('has no Allow')
      return
    }
    const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase()
    const operation = OF_HEAD.includes(exchange.status) ? undefined : operations?.[method]
    const { status } = exchange
    if (!operation && status === 405 && !operations) fail('is not described')
    const isOfProbe = operation && 'servers' in (operations ?? {}) && String(status) in operation.responses
    const isError = status >= 400 && !isOfProbe
    const header = isError ? HEADERS[status] : undefined
    if (header && exchange.headers.get(header) === null) fail(`has no ${header}`)
    if (isError) checkCode(exchange, operation ? operation['x-errors'] : document['x-errors'], fail)
    const responses = operation?.responses ?? {}
    const key = String(status) in responses ? String(status) : isError ? 'default' : undefined
    if (key === undefined) {
      fail('is not described')
      return
    }
    if (method === 'get' && '304' in responses && (status === 200 || status === 304) && !exchange.headers.get('etag'))
      fail('has no ETag')
    const response = responses[key] ?? { $ref: '#/components/responses/Error' }
    const ref = (response as { $ref?: string }).$ref
    const at = ref ? ref.slice(2).split('/') : ['paths', path ?? '', method, 'responses', key]
    const described = ref ? document.components.responses[at[2] ?? ''] : (response as Described)
    if (!described) {
      fail(`${ref} does not exist`)
      return
    }
    checkBody(exchange, described, at, fail)
  }

  function checkCode({ method, status, body }: Exchange, codes: Codes | undefined, fail: (why: string) => never): void {
    const known = codes?.[status]
    if (!known) fail('is not described')
    else if (method !== 'HEAD') {
      const { error } = errorOf(body)
      if (!known.includes(error)) fail(`${error} is none of ${known.join(', ')}`)
    }
  }

  function checkBody(exchange: Exchange, described: Described, at: string[], fail: (why: string) => never): void {
    const mediaTypes = Object.keys(described.content ?? {})
    if (exchange.method === 'HEAD' || mediaTypes.length === 0) {
      if (exchange.body) fail('has a body')
      return
    }
    const contentType = exchange.headers.get('content-type') ?? ''
    const mediaType = contentType.split(';', 1)[0] ?? ''
    if (!mediaTypes.includes(mediaType)) fail(`is ${contentType}, not ${mediaTypes.join(' or ')}`)
    const values =
      mediaType === 'application/json' || mediaType === 'application/problem+json'
        ? [JSON.parse(exchange.body)]
        : mediaType === 'text/event-stream'
          ? eventsOf(exchange.body)
          : [exchange.body]
    const { 'x-selected': selected } = Object(described.content?.[mediaType]).schema
    const isSelected = selected && new URL(exchange.target, 'http://directory.test').searchParams.get('fields')
    const validate = schemaAt([...at, 'content', mediaType, 'schema', ...(isSelected ? ['x-selected'] : [])])
    for (const value of values) if (!validate(value)) fail(ajv.errorsText(validate.errors))
  }

  return { document, check }
}

/** The error in a body: JSON, or for operations that answer in text a line `code: message`. */
export function errorOf(body: string): {
  error: string
  message: string
  details?: { path: string; message: string }[]
} {
  const [, error, message] = /^([a-z_]+): ([^\n]+)\n$/.exec(body) ?? []
  return error !== undefined && message !== undefined ? { error, message } : JSON.parse(body)
}

/** The complete events of a stream, without comments. */
const eventsOf = (text: string): object[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))))
    .filter(({ data }) => data !== undefined)
    .map((event) => ({ ...event, data: JSON.parse(event.data as string) as unknown }))

/** The document's path for an address below `/api`, `/api/v1` or, for operators' paths, the root. */
function describedPath(document: ApiDocument, path: string): string | undefined {
  const bases = [...document.servers.map(({ url }) => new URL(url, 'http://directory.test').pathname), ''].sort(
    (a, b) => b.length - a.length,
  )
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
    // A fixed path wins over one with parameters.
    const [best] = matching.map(([template]) => template).sort((a, b) => a.split('{').length - b.split('{').length)
    if (best) return best
  }
  return undefined
}
