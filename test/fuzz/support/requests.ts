// Plans requests to an operation: caller, path, query, headers and body, generated from the document's schemas.
import { gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import { png } from '../../workers/polling/png.ts'
import { givenBy, mutationOf, plainOf } from './from-schema.ts'
import { ALSO_PLAIN, fittingInPath } from './meant.ts'
import { oddHeader, oddText } from './odd-values.ts'
import type { Operation, Parameter } from './operations.ts'

/** The authorization table's callers; `forged`: invalid credentials. */
export type Caller = 'anonymous' | 'user' | 'owner' | 'moderator' | 'admin' | 'key' | 'revoked' | 'forged'

export interface Content {
  /** The value whose JSON is the text below. */
  value?: unknown
  /** The text as sent. */
  bytes?: string | Uint8Array
  headers: Record<string, string>
  /** The status it must have once the caller is authorized; undefined for any. */
  refusals?: readonly number[]
}

export interface Plan {
  operation: Operation
  base: '/api' | '/api/v1'
  method: string
  caller: Caller
  /** Path parameters by name. */
  path: Record<string, unknown>
  query: readonly (readonly [name: string, value: unknown])[]
  /** The query string as sent. */
  tail: string
  headers: readonly (readonly [name: string, value: string])[]
  content: Content | undefined
}

/** Fixed path segments in the place of an id. */
export const FIXED_PARTS = ['lookup', 'featured', 'stream', 'changes', 'suggestions']

const JSON_TYPE = { 'content-type': 'application/json' }
const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'TRACE']
const TAILS = [
  '',
  '',
  '',
  '&&=&=%20',
  '&__proto__=1&constructor=2',
  '&limit[]=1&limit[a]=2',
  '&%',
  '&a=%ff',
  '&a=%00',
  '&utf8=%E2%9C%93',
  '#x',
]
const FORGED: Record<string, string>[] = [
  { authorization: 'Bearer' },
  { authorization: 'Bearer a.b' },
  { authorization: 'Bearer sd_000000000000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  { authorization: `Bearer ${'.'.repeat(2_000)}` },
  { authorization: 'Basic YWRtaW46YWRtaW4=' },
  { authorization: '\u00ff\u00fe' },
  { cookie: 'session=' },
  { cookie: 'session=__proto__; session=constructor' },
  { cookie: `; ;=;session${'='.repeat(100)};` },
  { cookie: `session=${'A'.repeat(43)}` },
  { cookie: 'session="%00"; session=%ff' },
]

/** An operation's minimal valid request, by an authorized caller. */
export function plainRequest(operation: Operation): Plan {
  const { name, parameters, body } = operation
  const path = parametersIn(operation, 'path').map((one) => [one.name, fittingInPath(name, one.name)[0]])
  const query = parameters.filter((one) => one.in === 'query' && one.required)
  const also = ALSO_PLAIN[name] ?? {}
  return {
    operation,
    base: '/api',
    method: operation.method,
    caller: plainCaller(operation),
    path: Object.fromEntries(path) as Record<string, unknown>,
    query: [
      ...query.map((one) => [one.name, plainOf(one.schema, name, one.name)] as const),
      ...(body ? [] : Object.entries(also)),
    ],
    tail: '',
    headers: [],
    content: body
      ? { value: { ...(plainOf(body.schema, name) as object), ...also }, headers: JSON_TYPE }
      : operation.files[0]
        ? fileOf(PICTURE, operation.files[0])
        : undefined,
  }
}

function plainCaller({ name, access }: Operation): Caller {
  if (name === 'POST /servers/{id}/claim') return 'user' // the owner has proven it already
  if (name.includes(' /admin/')) return 'admin'
  return access === 'public' ? 'anonymous' : 'owner'
}

/** A valid request with at most one or two changes. */
export function requestTo(operation: Operation): Arbitrary<Plan> {
  const { name, method } = operation
  const often = <T>(usual: T, other: Arbitrary<T>, weight = 9) =>
    fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
  return fc.record({
    operation: fc.constant(operation),
    base: fc.constantFrom('/api', '/api/v1'),
    method: often(method, fc.constantFrom(...OTHER_METHODS), 14),
    caller: callerOf(operation),
    path: pathOf(operation),
    query: queryOf(operation),
    tail: often('', fc.constantFrom(...TAILS)),
    headers: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(oddHeader, { maxLength: 3 }) },
    ),
    content: contentOf(operation, name),
  })
}

function callerOf({ access, staff }: Operation): Arbitrary<Caller> {
  const able: readonly Caller[] = staff.length ? staff : access === 'session' ? ['owner'] : ['owner', 'admin', 'key']
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...able) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Caller>(
        'anonymous',
        'user',
        'owner',
        'moderator',
        'admin',
        'key',
        'revoked',
        'forged',
      ),
    },
  )
}

export const forgedHeaders = (seed: number): Record<string, string> => FORGED[seed % FORGED.length] ?? {}

const parametersIn = ({ parameters }: Operation, place: Parameter['in']) => parameters.filter((one) => one.in === place)

function pathOf(operation: Operation): Arbitrary<Record<string, unknown>> {
  const value = ({ name }: Parameter) => {
    const [best, ...others] = fittingInPath(operation.name, name)
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(best) },
      { weight: 2, arbitrary: fc.oneof(fc.constantFrom(best, ...others), fc.uuid()) },
      { weight: 1, arbitrary: fc.oneof(oddText, fc.constantFrom(...FIXED_PARTS, '{id}', ':id', '*')) },
    )
  }
  return fc.record(Object.fromEntries(parametersIn(operation, 'path').map((one) => [one.name, value(one)])))
}

function queryOf(operation: Operation): Arbitrary<Plan['query']> {
  const parameters = parametersIn(operation, 'query')
  if (!parameters.length)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constant([['page', '2'] as const]) },
    )
  const good = fc
    .record(Object.fromEntries(parameters.map((one) => [one.name, givenBy(one.schema, operation.name, one.name)])), {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    })
    .map((query) => Object.entries(query))
  const name = fc.constantFrom(...parameters.map((one) => one.name))
  const odd = fc.tuple(name, fc.oneof(oddText, aroundBounds(parameters)))
  const mutated = fc
    .tuple(good, odd, fc.constantFrom('in place', 'repeated', 'missing', 'mangled'))
    .map(([query, [name, value], how]) => {
      const others = query.filter(([other]) => other !== name)
      if (how === 'missing') return others
      if (how === 'mangled') return query.map(([other, text]) => [other, mangled(text)] as const)
      return [...(how === 'repeated' ? query : others), [name, value] as const]
    })
  return fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: mutated })
}

/** A text with a changed character, such as a truncated or damaged cursor. */
const mangled = (value: unknown) =>
  typeof value === 'string' ? `${value.slice(0, value.length >> 1)}_${value.slice((value.length >> 1) + 2)}` : value

const aroundBounds = (parameters: Parameter[]) =>
  fc.constantFrom(
    '',
    ...parameters.flatMap(({ schema: { minimum, maximum, maxLength } }) => [
      ...(minimum === undefined ? [] : [minimum - 1, minimum, minimum + 0.5].map(String)),
      ...(maximum === undefined ? [] : [maximum, maximum + 1].map(String)),
      ...(maxLength === undefined ? [] : ['a'.repeat(maxLength), '𝒜'.repeat(maxLength), 'a'.repeat(maxLength + 1)]),
    ]),
  )

const PICTURE = png()
const fileOf = (bytes: Uint8Array, type: string, refusals?: number[]): Content => ({
  bytes,
  headers: { 'content-type': type },
  ...(refusals && { refusals }),
})

function contentOf({ body, files }: Operation, name: string): Arbitrary<Content | undefined> {
  if (files.length)
    return fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...files).map((type) => fileOf(PICTURE, type)) },
      { weight: 2, arbitrary: fc.uint8Array({ minLength: 1 }).map((bytes) => fileOf(bytes, 'image/png')) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('image/svg+xml', 'text/html', ';').map((type) => fileOf(PICTURE, type, [415])),
      },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
  if (!body)
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom({ bytes: '{', headers: JSON_TYPE }, { bytes: 'a=1', headers: {} }) },
    )
  const json = (value: unknown): Content => ({ value, headers: JSON_TYPE })
  const plain = plainOf(body.schema, name)
  return fc.oneof(
    { weight: 10, arbitrary: givenBy(body.schema, name).map(json) },
    { weight: 10, arbitrary: mutationOf(body.schema, name).map(json) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.constantFrom(...framings(plain)) },
  )
}

/** The same body in other encodings, and invalid ones. */
function framings(value: unknown): Content[] {
  const huge = { filling: 'x'.repeat(70_000) }
  const refused = (headers: Record<string, string>, refusals: number[]): Content => ({ value, headers, refusals })
  const malformed = (bytes: string | Uint8Array, headers: Record<string, string> = JSON_TYPE): Content => ({
    bytes,
    headers,
    refusals: [400],
  })
  return [
    { value, headers: { 'content-type': 'application/json; charset=utf-8' } },
    { value, headers: { 'content-type': 'Application/JSON;charset=UTF-8;x=y' } },
    { value, headers: { 'content-type': 'application/merge-patch+json' } },
    refused({}, [415]),
    refused({ 'content-type': 'text/plain' }, [415]),
    refused({ 'content-type': 'application/x-www-form-urlencoded' }, [415]),
    refused({ 'content-type': 'multipart/form-data; boundary=x' }, [415]),
    refused({ 'content-type': ';;;' }, [415]),
    refused({ 'content-type': 'application/json; charset=klingon' }, [415]),
    refused({ ...JSON_TYPE, 'content-encoding': 'compress' }, [415]),
    refused({ ...JSON_TYPE, 'content-encoding': 'br' }, [400]),
    refused({ ...JSON_TYPE, 'content-encoding': 'gzip' }, [400]),
    { value: huge, headers: JSON_TYPE, refusals: [413] },
    { bytes: gzipSync(JSON.stringify(huge)), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, refusals: [413] },
    ...[
      '{',
      '{"a":1,}',
      "{'a':1}",
      'undefined',
      'NaN',
      '{"a":01}',
      '[1,2',
      '\u0000',
      '{} {}',
      '"\u0001"',
      '\ufeff\ufeff{}',
    ].map((text) => malformed(text)),
    malformed(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x80])),
    malformed('['.repeat(30_000)),
  ]
}
