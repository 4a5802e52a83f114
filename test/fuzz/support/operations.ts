// The operations of an OpenAPI document, and how it describes their requests.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiDocument } from '../../support/contract.ts'

export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}

export interface Operation {
  /** `POST /servers/{id}/vote` */
  name: string
  method: string
  /** Path with the server's base. */
  path: string
  /** Other methods of the path, in capitals. */
  siblings: string[]
  parameters: Parameter[]
  body: { schema: Schema; isRequired: boolean } | undefined
  /** Content types of the files that it takes. */
  files: string[]
  /** Who may call: anyone, a session or a key, or only a session. */
  access: 'public' | 'user' | 'session'
  /** Who of the people who run the directory may call; empty: it is not for them alone. */
  staff: readonly ('moderator' | 'admin')[]
  isStream: boolean
  /** Whether parameters that are not described are ignored. */
  ignoresUnknown: boolean
  /** Whether the value is a valid body; a query's texts are parsed by their types. */
  isValidBody(value: unknown): boolean
}

/** Probes: without limits, and answered for any caller and query. */
export const AT_ROOT = /^GET \/(healthz|readyz|metrics)$/

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const methods = METHODS.filter((method) => method in item)
    return methods.map((method) => {
      const described = item[method] as unknown as Described
      const schema = resolved(document, described.requestBody?.content['application/json']?.schema)
      const validate = schema && ajv.compile(schema)
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path: 'servers' in item ? path : `/api${path}`,
        siblings: methods.filter((other) => other !== method).map((other) => other.toUpperCase()),
        parameters: described.parameters ?? [],
        body: schema && { schema, isRequired: described.requestBody?.required ?? false },
        files: Object.keys(described.requestBody?.content ?? {}).filter((type) => type !== 'application/json'),
        access: accessOf(described.security ?? []),
        staff: staffOf(described.security ?? []),
        ignoresUnknown: 'x-unknown-parameters' in described || 'servers' in item,
        isStream: JSON.stringify(described.responses).includes('text/event-stream'),
        isValidBody: (value) => validate?.(value) ?? true,
      } satisfies Operation
    })
  })
}

/** With the components it refers to in their places. */
const resolved = <Value>({ components }: ApiDocument, value: Value): Value =>
  value &&
  (JSON.parse(JSON.stringify(value), (_key, part: { $ref?: string } | null) =>
    part?.$ref ? resolved({ components } as ApiDocument, components.schemas[part.$ref.split('/')[3] ?? '']) : part,
  ) as Value)

interface Described {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  security?: Record<string, string[]>[]
  responses: object
}

function staffOf(security: Record<string, string[]>[]): Operation['staff'] {
  const roles = security.flatMap(({ session = [] }) => session)
  if (roles.includes('moderator')) return ['moderator', 'admin']
  return roles.includes('admin') ? ['admin'] : []
}

function accessOf(security: Record<string, unknown>[]): Operation['access'] {
  if (security.every((way) => !('session' in way))) return 'public'
  return security.some((way) => 'apiKey' in way) ? 'user' : 'session'
}

/**
 * Whether a parameter's text is valid. Undefined where the document does not decide how a number is written (`007`).
 * A repeated parameter is a list, which none of our parameters is.
 */
export function isValidText({ schema, required }: Parameter, texts: readonly string[]): boolean | undefined {
  const [text] = texts
  if (text === undefined) return !required
  if (texts.length > 1) return false
  if (schema.anyOf) {
    const each = schema.anyOf.map((one) => isValidText({ name: '', in: 'query', schema: one }, texts))
    return each.includes(true) ? true : each.includes(undefined) ? undefined : false
  }
  if (schema.type === 'integer' || schema.type === 'number') return isValidNumber(schema, text)
  return ajv.validate(schema, text)
}

function isValidNumber({ type, minimum, maximum }: Schema, text: string): boolean | undefined {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return false
  if (type === 'integer' && !Number.isInteger(number)) return false
  if (number < (minimum ?? Number.NEGATIVE_INFINITY) || number > (maximum ?? Number.POSITIVE_INFINITY)) return false
  return /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(text) ? true : undefined
}
