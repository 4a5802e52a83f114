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

/** The fields without those that are undefined. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
