// Reads a form as a browser sends it without scripts.
import type { Request, Response } from 'express'
import { readRawBody } from '../../platform/http/body.ts'
import { ApiError } from '../../platform/http/errors.ts'

const MAX_FORM_BYTES = 64 * 1024

/** Repeated fields are joined by commas, as the API takes lists. @throws ApiError 413, 415 */
export async function readForm(req: Request, res: Response): Promise<Record<string, string>> {
  if (!req.is('application/x-www-form-urlencoded'))
    throw new ApiError(415, 'unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.')
  const bytes = await readRawBody(req, res)
  if (bytes.length > MAX_FORM_BYTES) throw new ApiError(413, 'payload_too_large', 'The form is too large.')
  const fields = new URLSearchParams(bytes.toString())
  return Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name).join(',')]))
}

/** A number that was typed; undefined if the field was left empty. */
export const numberOf = (typed: string | undefined): number | undefined => (typed?.trim() ? Number(typed) : undefined)

/** The checkboxes of one name that were chosen. */
export const listOf = (chosen: string | undefined) => (chosen ? chosen.split(',') : [])

/** Whole cents of `12.50` or `12,5`; NaN for anything else. */
export const centsOf = (typed = ''): number =>
  /^\d{1,9}([.,]\d{1,2})?$/.test(typed.trim()) ? Math.round(Number(typed.trim().replace(',', '.')) * 100) : Number.NaN

/** The fields without those that are undefined. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
