// Reads and parses forms, of a bounded number of fields.
import type { Request, Response } from 'express'
import { MAX_BODY_BYTES, parseBody, readBody, readRawBody } from './body.ts'
import { validationFailed } from './errors.ts'

const MULTIPART = 'multipart/form-data'
export const URL_ENCODED = 'application/x-www-form-urlencoded'
/** The largest form has about 20. */
const MAX_FIELDS = 200

/**
 * @param req of the content type `multipart/form-data` or `application/x-www-form-urlencoded`
 * @throws ApiError 400 validation_failed, 413 payload_too_large, 415 unsupported_media_type for a compressed body
 */
export async function readForm(req: Request, res: Response, maxBytes: number): Promise<FormData> {
  const bytes = await readRawBody(req, res, maxBytes)
  // Before the form is parsed, which takes time for each field. Of a multipart form, each field ends
  // with a delimiter line.
  const isTooLong = req.is(MULTIPART) ? has(bytes, '\r\n--', MAX_FIELDS + 1) : has(bytes, '&', MAX_FIELDS)
  if (isTooLong) throw validationFailed([{ path: 'body', message: `must not have more than ${MAX_FIELDS} fields` }])
  const headers = { 'content-type': req.headers['content-type'] ?? '' }
  // Node's own parser, which needs the whole body: it is bounded.
  return new globalThis.Response(new Uint8Array(bytes), { headers }).formData().catch(() => {
    throw validationFailed([{ path: 'body', message: 'is not a complete form' }])
  })
}

/** @returns whether the text occurs so often */
function has(bytes: Buffer, text: string, times: number): boolean {
  let at = -1
  for (let found = 0; found < times; found++) {
    at = bytes.indexOf(text, at + 1)
    if (at < 0) return false
  }
  return true
}

/**
 * Like `readBody`, for programs that send the JSON as a field of a form.
 * @param field name of the form's field
 * @returns the parsed field, or the parsed body if it is JSON
 */
export async function readBodyOrForm(req: Request, res: Response, field: string): Promise<unknown> {
  if (!req.is([MULTIPART, URL_ENCODED])) return readBody(req, res)
  const text = (await readForm(req, res, MAX_BODY_BYTES)).get(field)
  if (typeof text !== 'string')
    throw validationFailed([{ path: 'body', message: `must be a form with the field ${field}` }])
  return parseBody(text)
}
