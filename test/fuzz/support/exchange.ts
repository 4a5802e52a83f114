// Sends a planned request unchanged, with the answers that the document allows.
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { parse as parseQueryString } from 'node:querystring'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { sign } from '../../../dev/sandbox/delivery.ts'
import { WEBHOOK_SECRET } from '../../features/billing/support.ts'
import { type FuzzWorld, newAddress, resolve } from './meant.ts'
import { AT_ROOT, isValidText, type Operation } from './operations.ts'
import { type Content, FIXED_PARTS, forgedHeaders, type Plan } from './requests.ts'

export interface Sent {
  plan: Plan
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
  /** The body parsed as JSON. */
  value: unknown
  query: Record<string, unknown>
  /** What the document says of path, query and body; `open` where it does not say. */
  validity: 'valid' | 'invalid' | 'open'
  /** Statuses one of which it must have, besides those for unauthorized callers. */
  refusals: readonly number[] | undefined
}

export interface Answer {
  status: number
  headers: Headers
  body: string
}

type Unjudged = Omit<Sent, 'validity' | 'refusals'>

const MAX_BODY_BYTES = 64 * 1024
/** The margin for a head's size: the parser counts differently, and Node's client adds headers. */
const HEAD_DOUBT_BYTES = 1_024
const MAX_HEAD_BYTES = 16_384
/** Raw bytes: described as JSON, but read as what the sender signed. */
const SIGNED = 'POST /billing/webhook'

/** The request in this world, from its own address so that limits by address do not apply. */
export function prepare(plan: Plan, world: FuzzWorld): Sent {
  const { operation, method } = plan
  const pathValues = resolve(plan.path, world) as Record<string, unknown>
  const path = operation.path
    .replace(/^\/api/, plan.base)
    .replace(/\{(\w+)\}/g, (_all, name: string) => encode(String(pathValues[name])))
  const pairs = plan.query.map(([name, value]) => [name, textOf(resolve(value, world))] as const)
  const query = pairs.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&') + plan.tail
  const body = method === 'TRACE' || method === 'HEAD' ? undefined : bytesOf(plan.content, world)
  const headers = {
    ...Object.fromEntries(plan.headers),
    'x-forwarded-for': Object.fromEntries(plan.headers)['x-forwarded-for'] ?? newAddress(),
    ...(plan.caller === 'forged' ? forgedHeaders(query.length + path.length) : world.headers[plan.caller]),
    ...(body ? { ...plan.content?.headers, 'content-length': String(body.length) } : {}),
    ...(operation.name === SIGNED && body && !plan.content?.refusals ? signatureOf(body) : {}),
  }
  const target = query ? `${path}?${query}` : path
  const sent = { plan, method, target, headers, body, value: jsonOf(body), query: readQuery(target) }
  // The parser refuses it before it knows the method HEAD, whose answer has no body: a client can't read it.
  if (method === 'HEAD' && headBytes(sent) > MAX_HEAD_BYTES - HEAD_DOUBT_BYTES)
    return prepare({ ...plan, method: 'GET' }, world)
  return { ...sent, ...expectations(sent) }
}

/** RFC 3986 §3.2.2, for hosts of ASCII characters: a name or an address, and a port. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

function expectations(sent: Unjudged): Pick<Sent, 'validity' | 'refusals'> {
  const { plan, method, target, body, value, query } = sent
  const { operation, content } = plan
  const beyond = headBytes(sent) - MAX_HEAD_BYTES
  if (beyond > HEAD_DOUBT_BYTES) return { validity: 'invalid', refusals: [431] }
  if (beyond > -HEAD_DOUBT_BYTES) return { validity: 'open', refusals: undefined }
  const { host } = sent.headers
  if (host !== undefined && !HOST.test(host.trim()) && !AT_ROOT.test(operation.name))
    return { validity: 'invalid', refusals: [400] }
  if (!isDecodable(target) && !AT_ROOT.test(operation.name)) return { validity: 'invalid', refusals: [400] }
  if (leadsElsewhere(plan)) return { validity: 'open', refusals: undefined }
  const methods = [operation.method, ...operation.siblings]
  const isKnown = methods.includes(method === 'HEAD' ? 'GET' : method) || method === 'OPTIONS'
  if (!isKnown) return { validity: 'invalid', refusals: [405] }
  if (method !== operation.method || operation.name === SIGNED) return { validity: 'open', refusals: undefined }
  if ((operation.body || operation.files.length) && body) {
    if (content?.refusals) return { validity: 'invalid', refusals: content.refusals }
    if (operation.body && body.length > MAX_BODY_BYTES) return { validity: 'invalid', refusals: [413] }
  }
  const verdict = isGiven(operation, query, body && { value })
  return { validity: verdict === undefined ? 'open' : verdict ? 'valid' : 'invalid', refusals: undefined }
}

/** Texts that are paths of their own in place of an id, and the empty text. */
const leadsElsewhere = ({ path }: Plan) =>
  Object.values(path).some((value) => value === '' || FIXED_PARTS.includes(value as string))

/** Whether the document allows such a request; undefined where it does not say. */
export function isGiven(
  { parameters, body, isValidBody, ignoresUnknown }: Operation,
  query: Record<string, unknown>,
  given: { value: unknown } | undefined,
): boolean | undefined {
  const described = parameters.filter((one) => one.in === 'query')
  const names = new Set(described.map(({ name }) => name))
  if (!ignoresUnknown && !Object.keys(query).every((name) => names.has(name))) return false
  const verdicts = described.map((one) =>
    isValidText(one, query[one.name] === undefined ? [] : ([query[one.name]].flat() as string[])),
  )
  if (body) verdicts.push(given ? isValidBody(given.value) : !body.isRequired)
  return verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true
}

/** Parses a query as the API does. */
function readQuery(target: string): Record<string, unknown> {
  const start = target.indexOf('?')
  return start === -1 ? {} : parseQueryString(target.slice(start + 1))
}

/** Undefined for anything but JSON. */
function jsonOf(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(body)) as unknown
  } catch {
    return undefined
  }
}

function headBytes({ method, target, headers }: Unjudged): number {
  const fields = Object.entries(headers).map(([name, value]) => name.length + value.length + 4)
  return fields.reduce((sum, length) => sum + length, method.length + target.length + 12)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Percent-encodes half surrogates, too, whose encoding is invalid UTF-8. */
const encode = (text: string): string =>
  [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('')

function isDecodable(target: string): boolean {
  try {
    return !decodeURIComponent(target).includes('\0')
  } catch {
    return false
  }
}

function bytesOf(content: Content | undefined, world: FuzzWorld): Buffer | undefined {
  if (content?.bytes !== undefined) return Buffer.from(content.bytes as string)
  return content && Buffer.from(JSON.stringify(resolve(content.value, world)))
}

const signatureOf = (body: Buffer) => ({
  'stripe-signature': sign(body.toString(), WEBHOOK_SECRET, Math.floor(Date.now() / 1000)),
})

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Reads only the head of an endless answer. */
export function send(url: string, { plan, method, target, headers, body }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, hostname, port, method, path: target, headers }, (response) => {
      const { statusCode: status = 0 } = response
      const answered = (chunks: Buffer[]) =>
        resolve({
          status,
          headers: headersOf(response.headers),
          body: decoded(response, Buffer.concat(chunks)).toString(),
        })
      if (plan.operation.isStream && status === 200) {
        answered([])
        response.destroy()
        return
      }
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => answered(chunks)).on('error', reject)
    })
    request.setTimeout(30_000, () => request.destroy(new Error('no answer within 30 s')))
    request.on('error', reject).end(body)
  })
}

function decoded({ headers }: IncomingMessage, bytes: Buffer): Buffer {
  const decode = DECODERS[headers['content-encoding'] ?? '']
  return decode && bytes.length ? decode(bytes) : bytes
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
}

function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) for (const one of [value ?? []].flat()) headers.append(name, one)
  return headers
}
