// The fields of a listing as people write them: columns and keys of a file, options of `npm run servers -- add`.
import { NewServer, type NewServerInput } from '../servers/index.ts'

/** All fields of a new server, under the same names in JSON and CSV and, with dashes, on the command line. */
export const FIELDS = Object.keys(NewServer.shape) as (keyof NewServerInput)[]

export const REQUIRED = ['name', 'ipAddress'] as const

export interface Row {
  /** `line 12` of the file; `row 12` of a JSON array. */
  place: string
  /** Values by field name; empty if there is a problem. */
  values: Record<string, unknown>
  /** Why the row can't be read at all. */
  problem?: string
}

/** Compared in lower case: spreadsheets write `TRUE`. */
const TRUTH = new Map([
  ['true', true],
  ['false', false],
])

/**
 * Converts field values for the listing's rules: an empty string or null is an absent field; ports and truth values may
 * be strings. Does not validate.
 */
export function toInput(values: Record<string, unknown>): Partial<NewServerInput> {
  const input: Record<string, unknown> = {}
  for (const field of FIELDS) {
    const value = Object.hasOwn(values, field) ? values[field] : undefined
    if (value === undefined || value === null || value === '') continue
    const isDigits = typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value)
    if (isDigits && field.endsWith('Port')) input[field] = Number(value)
    else if (field === 'nameFromServer' && typeof value === 'string')
      input[field] = TRUTH.get(value.trim().toLowerCase()) ?? value
    else input[field] = value
  }
  return input
}
