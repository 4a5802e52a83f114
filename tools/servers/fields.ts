// The fields of a listing as people write them: options of `add`, columns and keys of an imported file.
import type { NewServerInput } from '../../src/features/servers/index.ts'

/** Every field of the API's server that may be given; the same names in JSON, CSV and, with dashes, on the command line. */
export const FIELDS = [
  'name',
  'ipAddress',
  'gamePort',
  'queryPort',
  'game',
  'gameMode',
  'description',
  'region',
  'tags',
  'website',
  'chatUrl',
  'bannerUrl',
  'rates',
  'mods',
  'lastWipeAt',
] as const satisfies (keyof NewServerInput)[]

export const REQUIRED = ['name', 'ipAddress', 'gamePort'] as const

export interface Row {
  /** `line 12` of the file; `row 12` of a JSON array. */
  place: string
  /** Field names and values, unless there is a problem. */
  values: Record<string, unknown>
  /** Why this row can't be read at all. */
  problem?: string
}

/**
 * Field values as the listing's rules expect them: an empty text or null is a field not given, a port may be written in digits.
 * Nothing is checked here.
 */
export function toInput(values: Record<string, unknown>): Partial<NewServerInput> {
  const input: Record<string, unknown> = {}
  for (const field of FIELDS) {
    const value = Object.hasOwn(values, field) ? values[field] : undefined
    if (value === undefined || value === null || value === '') continue
    const isDigits = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value)
    input[field] = isDigits && field.endsWith('Port') ? Number(value) : value
  }
  return input
}
