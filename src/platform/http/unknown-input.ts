// Refuses parameters and fields that an operation does not declare, and names the declared one that was probably meant.
import * as z from 'zod'
import { nameDistance, normalizeName } from '../name-distance.ts'
import type { ErrorDetail } from './errors.ts'

/** What other APIs call ours, in plain names. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  sortBy: ['sort', 'order', 'orderby', 'ordering'],
  sortOrder: ['direction', 'dir', 'sortdirection'],
  limit: ['perpage', 'pagesize', 'size', 'count', 'first'],
  page: ['offset', 'skip', 'start'],
  cursor: ['after', 'pagetoken'],
  onlineOnly: ['online', 'isonline'],
  username: ['player', 'nick'],
  gamePlatformId: ['steamid', 'uuid'],
  ipAddress: ['address', 'host'],
}

/** Maximum per request: 64 kB of names would be 10,000 details. */
const MAX_REPORTED = 10
const MAX_NAME = 100

/**
 * The same schema, refusing unknown keys at its top. Objects that name what becomes of unknown keys stay as they are.
 * @throws Error for a kind of schema that no operation had before, so that none is left open by mistake
 */
export function rejectUnknownKeys<Schema extends z.ZodType>(schema: Schema): Schema {
  return withMetaOf(schema, close(schema)) as Schema
}

function close(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) return schema.def.catchall ? schema : schema.strict()
  if (schema instanceof z.ZodUndefined) return schema
  if (schema instanceof z.ZodOptional) return rejectUnknownKeys(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodDefault)
    return rejectUnknownKeys(schema.unwrap() as z.ZodType).default(schema.def.defaultValue)
  if (schema instanceof z.ZodPrefault)
    return rejectUnknownKeys(schema.unwrap() as z.ZodType).prefault(schema.def.defaultValue)
  if (schema instanceof z.ZodDiscriminatedUnion)
    return schema.clone({
      ...schema.def,
      options: schema.options.map((option) => rejectUnknownKeys(option as z.ZodType)),
    })
  throw new Error(`an input of type ${schema.type} can't be closed for unknown keys`)
}

/** Zod leaves the description and the name of a schema behind when it is changed. */
function withMetaOf(schema: z.ZodType, changed: z.ZodType): z.ZodType {
  const meta = z.globalRegistry.get(schema)
  if (meta && changed !== schema) z.globalRegistry.add(changed, meta)
  return changed
}

/** Names that the schema declares at a path in it. */
function namesAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return namesAt(schema.unwrap(), path)
  if (schema instanceof z.ZodDiscriminatedUnion) return schema.options.flatMap((option) => namesAt(option, path))
  if (!(schema instanceof z.ZodObject)) return []
  const [name, ...rest] = path
  return name === undefined ? Object.keys(schema.shape) : namesAt(schema.shape[name as string], rest)
}

/**
 * @param issue.path of the object in the input
 * @param at the same as clients see it: `body`, empty for the query
 */
export function unknownKeyDetails(
  schema: z.ZodType,
  { keys, path }: Pick<z.core.$ZodIssueUnrecognizedKeys, 'keys' | 'path'>,
  at: string,
): ErrorDetail[] {
  const names = namesAt(schema, path)
  const what = at ? 'field' : 'parameter'
  return keys.slice(0, MAX_REPORTED).map((key) => {
    const meant = meantBy(key, names)
    const name = key.slice(0, MAX_NAME)
    return {
      path: at ? `${at}.${name}` : name,
      message: `is not a recognized ${what}${meant ? `; did you mean ${meant}?` : ''}`,
    }
  })
}

function meantBy(key: string, names: readonly string[]): string | undefined {
  const synonym = names.find((name) => SYNONYMS[name]?.includes(normalizeName(key)))
  return synonym ?? nearestOf(key, names)
}

const nearestOf = (key: string, [first, ...others]: readonly string[]): string | undefined =>
  first && others.reduce((best, name) => (nameDistance(key, name) < nameDistance(key, best) ? name : best), first)
