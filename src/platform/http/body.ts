// Reads a request's body: JSON only, at most 64 kB, each way to be wrong told apart (api-decisions.md "General").
import express, { type Request, type Response } from 'express'
import { ApiError, validationFailed } from './errors.ts'

export const MAX_BODY_BYTES = 64 * 1024

const parseJson = express.json({ limit: MAX_BODY_BYTES, strict: false, type: () => true })

/**
 * @returns the parsed body; undefined when there is none
 * @throws ApiError 400 malformed_json, 413 payload_too_large, 415 unsupported_media_type
 */
export async function readBody(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) return undefined
  if (!req.is(['json', '+json'])) throw unsupported('Send the body as application/json.')
  await new Promise<void>((resolve, reject) => {
    parseJson(req, res, (error?: unknown) => (error ? reject(bodyError(error)) : resolve()))
  })
  // PostgreSQL's text can't hold it, so no field may.
  if (holdsNul(req.body)) throw validationFailed([{ path: 'body', message: 'must not contain the character U+0000' }])
  return req.body
}

/** Larger than what is sent by those whose bodies are signed. */
const MAX_RAW_BODY_BYTES = 1024 * 1024
const readBytes = express.raw({ limit: MAX_RAW_BODY_BYTES, type: () => true, inflate: false })

/**
 * @returns the body's bytes as they came, whatever they are said to be
 * @throws ApiError 413 payload_too_large, 415 unsupported_media_type for one that is compressed
 */
export async function readRawBody(req: Request, res: Response): Promise<Buffer> {
  if (!hasBody(req)) return Buffer.alloc(0)
  await new Promise<void>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) => (error ? reject(bodyError(error, MAX_RAW_BODY_BYTES)) : resolve()))
  })
  return req.body as Buffer
}

const hasBody = (req: Request) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

const unsupported = (message: string, cause?: unknown) =>
  new ApiError(415, 'unsupported_media_type', message, { cause })

/** The reader's own errors carry a type (body-parser's README, "Errors"); what has none is a body that can't be inflated. */
function bodyError(cause: unknown, maxBytes = MAX_BODY_BYTES): ApiError {
  const type = (cause as { type?: string }).type
  switch (type) {
    case 'entity.too.large':
      return new ApiError(413, 'payload_too_large', `The body may have at most ${maxBytes} bytes.`, { cause })
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return unsupported('The body’s charset or encoding is not supported.', cause)
    default:
      return new ApiError(400, 'malformed_json', 'The body is not valid JSON.', { cause })
  }
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => key.includes('\0') || holdsNul(item))
}
