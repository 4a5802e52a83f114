// A position in a list, as text that the client sends back for the next page. Any process understands it.
import { hash } from 'node:crypto'
import * as z from 'zod'
import { type DirectoryQuery, filterKey } from './plan.ts'
import type { KeysetPosition } from './sort-keys.ts'

export interface ListCursor {
  /** The key of the list's filters and order (`listKey`). */
  list: string
  position: KeysetPosition
}

const Content = z.tuple([z.string().length(8), z.union([z.number(), z.string()]), z.number(), z.guid()])

/** A short key, equal for lists with equal filters and order; pages may have different limits and fields. */
const listKey = (query: DirectoryQuery): string => hash('sha256', filterKey(query), 'base64url').slice(0, 8)

export const writeListCursor = (query: DirectoryQuery, { value, createdAt, id }: KeysetPosition): string =>
  Buffer.from(JSON.stringify([listKey(query), value, createdAt, id])).toString('base64url')

/** @returns undefined for text that `writeListCursor` never wrote */
export function readListCursor(text: string): ListCursor | undefined {
  try {
    const [list, value, createdAt, id] = Content.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { list, position: { value, createdAt, id } }
  } catch {
    return undefined
  }
}

export const belongsTo = ({ list }: ListCursor, query: DirectoryQuery): boolean => list === listKey(query)
