// Reads a form as a browser sends it without scripts.
import type { Request, Response } from 'express'
import { ApiError, type ErrorDetail, validationFailed } from '../../platform/http/errors.ts'
import { readForm, URL_ENCODED } from '../../platform/http/form-body.ts'

const MAX_FORM_BYTES = 64 * 1024

export interface SentForm {
  /** Repeated fields are joined by commas, as the API takes lists. */
  fields: Record<string, string>
  /** The file that the visitor chose. */
  file?: Buffer
}

/** @param maxFileBytes maximum size of a file, if the page's forms may have one @throws ApiError 400, 413, 415 */
export async function readSentForm(req: Request, res: Response, maxFileBytes?: number): Promise<SentForm> {
  const mayHaveFile = maxFileBytes !== undefined && req.is('multipart/form-data')
  if (!mayHaveFile && !req.is(URL_ENCODED))
    throw new ApiError(415, 'unsupported_media_type', `Send the form as ${URL_ENCODED}.`)
  const sent = await readForm(req, res, MAX_FORM_BYTES + (mayHaveFile ? maxFileBytes : 0))
  const texts: [string, string][] = []
  let file: Buffer | undefined
  for (const [name, value] of sent)
    if (typeof value === 'string') texts.push([name, value])
    else if (value.size > 0) file = Buffer.from(await value.arrayBuffer())
  return { fields: joined(texts), ...(file && { file }) }
}

function joined(sent: Iterable<[string, string]>): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of sent) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before},${value}`)
  }
  return Object.fromEntries(fields)
}

/** A number that was typed; undefined if the field was left empty. */
export const numberOf = (typed: string | undefined): number | undefined => (typed?.trim() ? Number(typed) : undefined)

/** The checkboxes of one name that were chosen. */
export const listOf = (chosen: string | undefined) => (chosen ? chosen.split(',') : [])

/** Converts `12.50` or `12,5` to whole cents; NaN for other texts. */
export const centsOf = (typed = ''): number =>
  /^\d{1,9}([.,]\d{1,2})?$/.test(typed.trim()) ? Math.round(Number(typed.trim().replace(',', '.')) * 100) : Number.NaN

/** @returns the error with the API's field names replaced by those of the form, where they differ */
export function atFields(error: unknown, names: Readonly<Record<string, string>>): unknown {
  const details = error instanceof ApiError && (error.fields.details as ErrorDetail[] | undefined)
  if (!details) return error
  return validationFailed(
    details.map(({ path, message }) => {
      const name = path.split('.')[1] ?? path
      return { path: `body.${names[name] ?? name}`, message }
    }),
  )
}
