// Examples of bodies, made from the schemas of the OpenAPI document and the examples of their fields.

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  title?: string
  type?: string | string[]
  format?: string
  description?: string
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
}

interface Content {
  schema?: Schema
  example?: unknown
}
interface Described {
  content?: Record<string, Content>
}
interface DescribedOperation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema; example?: unknown }[]
  requestBody?: Described
  responses?: Record<string, Described>
}
interface Document {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** Values of fields whose schema has no example of its own, by the field's name. */
export type FieldExamples = Readonly<Record<string, unknown>>

const JSON_MEDIA_TYPE = 'application/json'
const BY_FORMAT: Record<string, unknown> = {
  'date-time': '2026-11-20T12:00:00.000Z',
  uuid: '5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f',
  uri: 'https://example.org',
  email: 'ada@example.org',
  ipv4: '203.0.113.5',
}

/** Adds an example to each JSON body of requests and success replies, and each required parameter, that has none. */
export function addExamples(document: object, fields: FieldExamples): void {
  const { paths, components } = document as Document
  const make = createExamples(components.schemas, fields)
  for (const path of Object.values(paths))
    for (const { parameters = [], requestBody, responses = {} } of Object.values(path)) {
      for (const parameter of parameters)
        if (parameter.in === 'query' && parameter.required)
          parameter.example ??= make(parameter.schema, 'all', parameter.name)
      const sent = requestBody?.content?.[JSON_MEDIA_TYPE]
      if (sent?.schema) sent.example ??= make(sent.schema, 'required')
      for (const [status, reply] of Object.entries(responses)) {
        const content = status.startsWith('2') ? reply.content?.[JSON_MEDIA_TYPE] : undefined
        if (content?.schema) content.example ??= make(content.schema, 'all')
      }
    }
}

/** @returns makes the example of a schema, with `all` its fields or those that are `required` */
function createExamples(schemas: Record<string, Schema>, fields: FieldExamples) {
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? resolve(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

  function make(given: Schema, which: 'all' | 'required', name = '', within: readonly Schema[] = []): unknown {
    const schema = resolve(given)
    if (schema.examples) return schema.examples[0]
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    const alternatives = schema.oneOf ?? schema.anyOf
    if (alternatives) {
      const chosen = alternatives.find((one) => resolve(one).type !== 'null') ?? {}
      return make(chosen, which, name, within)
    }
    const known = fields[name]
    if (known !== undefined && allows(schema, known)) return known
    if (schema.default !== undefined) return schema.default
    if (schema.format && schema.format in BY_FORMAT) return BY_FORMAT[schema.format]
    if (within.includes(schema)) return {}
    const inner = [...within, schema]
    const [type] = typeOf(schema)
    if (type === 'array') {
      const item = make(schema.items ?? {}, which, singular(name), inner)
      return new Array(Math.max(schema.minItems ?? 1, 1)).fill(item)
    }
    if (type === 'boolean') return true
    if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
    if (type === 'string') return name || 'text'
    const { properties = {}, required = [], additionalProperties } = schema
    const shown = Object.entries(properties).filter(([field]) => which === 'all' || required.includes(field))
    const values = (shown.length > 0 ? shown : Object.entries(properties).slice(0, 1)).map(
      ([field, value]) => [field, make(value, which, field, inner)] as const,
    )
    if (values.length === 0 && typeof additionalProperties === 'object')
      return { [name]: make(additionalProperties, which, name, inner) }
    return Object.fromEntries(values)
  }
  /** Whether a value of another field of the same name fits this one. */
  function allows(schema: Schema, value: unknown): boolean {
    const { items, pattern, format, minimum = value, maximum = value } = resolve(schema)
    const types = typeOf(resolve(schema))
    if (Array.isArray(value)) return types.includes('array') && value.every((item) => allows(items ?? {}, item))
    if (typeof value === 'number')
      return (
        (types.includes('number') || (types.includes('integer') && Number.isInteger(value))) &&
        value >= Number(minimum) &&
        value <= Number(maximum)
      )
    if (!types.includes(typeof value)) return value === null
    if (typeof value !== 'string') return true
    return new RegExp(pattern ?? '').test(value) && (format !== 'uri' || URL.canParse(value))
  }

  return (schema: Schema, which: 'all' | 'required', name?: string) => make(schema, which, name)
}

const typeOf = ({ type, properties }: Schema): string[] =>
  type === undefined ? (properties ? ['object'] : []) : [type].flat().filter((one) => one !== 'null')

/** The name of an element of `tags`: `tag`. */
const singular = (name: string) => name.replace(/s$/, '')
