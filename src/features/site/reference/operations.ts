// The operations of the OpenAPI document, as the pages of the reference show them.
import type { Schema } from '../../../platform/http/examples.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

interface Described {
  description?: string
  content?: Record<string, { schema?: Schema; example?: unknown }>
}

interface Declared {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Described
  responses: Record<string, Described>
  'x-errors'?: Record<string, string[]>
}

interface ApiDocument {
  info: { description: string }
  paths: Record<string, Record<string, Declared> & { servers?: unknown }>
  components: { schemas: Record<string, Schema> }
}

/** The entry of an operation in the table of contents. */
export interface Entry {
  id: string
  method: (typeof METHODS)[number]
  path: string
  tag: string
  summary: string
  deprecated: boolean
}

/** Sections by caller: everyone, accounts and owners, or administrators and operators. */
export const SECTIONS = ['public', 'accounts', 'operators'] as const
export type Section = (typeof SECTIONS)[number]

export interface Operation extends Entry {
  section: Section
  /** The URL with the origin. */
  url: string
  declared: Declared
  /** The text that the search looks through, in lower case. */
  words: string
}

export interface Reference {
  operations: Operation[]
  byId: ReadonlyMap<string, Operation>
  schemas: Record<string, Schema>
  /** The API's description in Markdown. */
  about: string
}

const known = new WeakMap<object, Reference>()

/** @param document the OpenAPI document that the API serves */
export function referenceOf(document: object, origin: string): Reference {
  const before = known.get(document)
  if (before) return before
  const { info, paths, components } = document as ApiDocument
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const declared = item[method]
      return declared ? [operationOf(declared, method, path, item.servers ? origin : `${origin}/api`)] : []
    }),
  )
  const inOrder = SECTIONS.flatMap((section) => {
    const ofSection = operations.filter((one) => one.section === section)
    return [...new Set(ofSection.map(({ tag }) => tag))].flatMap((tag) => ofSection.filter((one) => one.tag === tag))
  })
  const reference = {
    operations: inOrder,
    byId: new Map(inOrder.map((operation) => [operation.id, operation])),
    schemas: components.schemas,
    about: info.description,
  }
  known.set(document, reference)
  return reference
}

function operationOf(declared: Declared, method: Entry['method'], path: string, base: string): Operation {
  const { operationId: id, summary, description = '', tags, deprecated = false, security = [] } = declared
  const tag = tags[0] ?? ''
  const isForOperators = path.startsWith('/admin/') || tag === 'Operators'
  const section = isForOperators ? 'operators' : security.some((way) => way.session) ? 'accounts' : 'public'
  const words = [method, path, id, tag, summary, description].join(' ').toLowerCase()
  return { id, method, path, tag, summary, deprecated, section, url: base + path, declared, words }
}

/** The operations that have all the words. */
export function find({ operations }: Reference, text: string): Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter((operation) => words.every((word) => operation.words.includes(word)))
}

/** A schema as text: a line for each field, indented. */
export function outline(schemas: Record<string, Schema>, given: Schema, indent = '', within: string[] = []): string {
  const name = given.$ref?.split('/').at(-1)
  const schema = name ? (schemas[name] ?? {}) : given
  if (name && within.includes(name)) return name
  const inner = name ? [...within, name] : within
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return alternatives.map((one) => outline(schemas, one, indent, inner)).join(' | ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'array') return `${outline(schemas, schema.items ?? {}, indent, inner)}[]`
  if (!schema.properties)
    return [[schema.type ?? 'any'].flat().join(' | '), schema.format && `(${schema.format})`].filter(Boolean).join(' ')
  const fields = Object.entries(schema.properties).map(([field, value]) => {
    const optional = schema.required?.includes(field) ? '' : '?'
    const type = outline(schemas, value, `${indent}  `, inner)
    const about = value.description ? `  // ${value.description.replace(/\s+/g, ' ').replaceAll('`', '')}` : ''
    return `${indent}  ${field}${optional}: ${type}${about}`
  })
  return `{\n${fields.join('\n')}\n${indent}}`
}
