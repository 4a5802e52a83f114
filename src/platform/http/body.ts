// Reads and parses a request body: JSON of at most 64 kB, bytes or a file, with a distinct error for each failure.
import { TextDecoder } from 'node:util'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { hasNul, NUL_MESSAGE } from '../text.ts'
import { contextOf } from './context.ts'
import { ApiError, validationFailed } from './errors.ts'
import type { FileRule } from './operation.ts'

export const MAX_BODY_BYTES = 64 * 1024
/**
 * Nesting of arrays and objects. No operation needs more than a few levels, and deep nesting exhausts the stack of code
 * that walks it.
 */
export const MAX_BODY_DEPTH = 50
/**
 * Strings, numbers, lists and so on. The largest operation takes 1,000 ids; 32,000 numbers instead of ids would cost a
 * third of a second and a reply of 3 MB.
 */
export const MAX_BODY_VALUES = 2_000

/**
 * @returns the parsed body; undefined if there is none
 * @throws ApiError 400 malformed_json, 400 validation_failed, 413 payload_too_large, 415 unsupported_media_type
 */
export async function readBody(req: Request, res: Response): Promise<unknown> {
  if (!hasBody(req)) return undefined
  if (!req.is(['json', '+json'])) throw unsupported('Send the body as application/json.')
  const charset = decoderFor(req)
  const inflate = inflaterFor(req)
  const bytes = inflate(await readBytes(req, res, MAX_BODY_BYTES))
  return parseBody(charset.decode(bytes))
}

/** @throws ApiError 400 malformed_json, 400 validation_failed */
export function parseBody(text: string): unknown {
  const body = parse(text)
  const problem = findProblem(body)
  if (problem) throw validationFailed([{ path: 'body', message: problem }])
  return body
}

/** Larger than the bodies of callers that sign them. */
export const MAX_SIGNED_BODY_BYTES = 1024 * 1024

/**
 * @param maxBytes of the body
 * @returns the body's bytes, whatever its content type
 * @throws ApiError 413 payload_too_large, 415 unsupported_media_type for a compressed body
 */
export async function readRawBody(req: Request, res: Response, maxBytes: number): Promise<Buffer> {
  if (!hasBody(req)) return Buffer.alloc(0)
  if (encodingOf(req) !== 'identity') throw unsupported(WRONG_ENCODING)
  return readBytes(req, res, maxBytes)
}

/**
 * @returns a file's bytes
 * @throws ApiError 413 payload_too_large, 415 unsupported_media_type
 */
export async function readFile(req: Request, res: Response, { types, maxBytes }: FileRule): Promise<Buffer> {
  requireFileType(req, { types })
  return readRawBody(req, res, maxBytes)
}

/** @throws ApiError 415 unsupported_media_type */
export function requireFileType(req: Request, { types }: Pick<FileRule, 'types'>): void {
  if (!req.is([...types])) throw unsupported(`Send the file as ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`)
}

const hasBody = (req: Request) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

const WRONG_ENCODING = 'The body’s charset or encoding is not supported.'
const unsupported = (message: string) => new ApiError(415, 'unsupported_media_type', message)

function decoderFor(req: Request): TextDecoder {
  const charset =
    /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(req.headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8'
  if (!['utf-8', 'utf8', 'utf-16', 'utf-16le', 'utf-16be'].includes(charset)) throw unsupported(WRONG_ENCODING)
  return new TextDecoder(charset)
}

const encodingOf = (req: Request) => req.headers['content-encoding']?.toLowerCase() ?? 'identity'

type Inflate = (bytes: Buffer) => Buffer
const atMost = { maxOutputLength: MAX_BODY_BYTES }
const INFLATERS = new Map<string, Inflate>([
  ['identity', (bytes) => bytes],
  ['gzip', (bytes) => gunzipSync(bytes, atMost)],
  ['deflate', (bytes) => inflateSync(bytes, atMost)],
  ['br', (bytes) => brotliDecompressSync(bytes, atMost)],
])

function inflaterFor(req: Request): Inflate {
  const inflate = INFLATERS.get(encodingOf(req))
  if (!inflate) throw unsupported(WRONG_ENCODING)
  return (bytes) => {
    try {
      return inflate(bytes)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw payloadTooLarge(MAX_BODY_BYTES, cause)
      throw malformed(cause)
    }
  }
}

const malformed = (cause: unknown) => new ApiError(400, 'malformed_json', 'The body is not valid JSON.', { cause })

function parse(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(cause)
  }
}

/** @returns why the value is not allowed in any body; stops at the maximum depth and number of values */
function findProblem(body: unknown): string | undefined {
  let values = 0
  function problemOf(value: unknown, depth: number): string | undefined {
    values++
    if (values > MAX_BODY_VALUES) return `must not have more than ${MAX_BODY_VALUES} values`
    if (typeof value === 'string') return hasNul(value) ? NUL_MESSAGE : undefined
    if (typeof value !== 'object' || value === null) return undefined
    if (depth > MAX_BODY_DEPTH) return `must not be nested deeper than ${MAX_BODY_DEPTH} levels`
    for (const [key, item] of Object.entries(value)) {
      const problem = hasNul(key) ? NUL_MESSAGE : problemOf(item, depth + 1)
      if (problem) return problem
    }
    return undefined
  }
  return problemOf(body, 1)
}

const FIRST_BYTES = 1024

/**
 * Each piece costs CPU time of its own, so bodies in single bytes would delay all other requests. Networks deliver a
 * body in pieces of more than a kilobyte, and clients that write line by line send few lines.
 */
const maxPiecesOf = (maxBytes: number) => 1_000 + maxBytes / 256

const payloadTooLarge = (maxBytes: number, cause?: unknown) =>
  new ApiError(413, 'payload_too_large', `The body may have at most ${maxBytes} bytes.`, { cause })

const tooManyPieces = () =>
  new ApiError(413, 'payload_too_large', 'The body arrives in too many small pieces. Send it in larger ones.')

const brokenOffBody = () => new ApiError(400, 'malformed_json', 'The body ended before it was complete.')

/**
 * Reads the body into one buffer. Rejects a longer body as soon as its length is known, and one in too many
 * pieces. `raw-body` keeps a list of chunks, and reports nothing before the end, so a client's memory could not be
 * bounded while it sends.
 * @param maxBytes of the body
 * @throws ApiError 413 payload_too_large; 400 malformed_json if the client disconnects
 */
async function readBytes(req: Request, res: Response, maxBytes: number): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw payloadTooLarge(maxBytes)
  // The client may have disconnected while its request was counted: then no event follows.
  if (req.destroyed) throw brokenOffBody()
  const { load, clientKey } = contextOf(res)
  const held = load.holdBody(req, clientKey)
  // A list of chunks would take a hundred times the size of a body that arrives byte by byte.
  let bytes: Buffer = Buffer.alloc(0)
  let length = 0
  let pieces = 0
  const maxPieces = maxPiecesOf(maxBytes)

  function append(chunk: Buffer): void {
    if (length === 0 && chunk.length === declared) {
      bytes = chunk
      held.add(chunk.length)
    } else {
      if (length + chunk.length > bytes.length) grow(length + chunk.length)
      chunk.copy(bytes, length)
    }
    length += chunk.length
  }

  function grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(needed, 2 * bytes.length, FIRST_BYTES), maxBytes))
    held.add(larger.length - bytes.length)
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }

  return new Promise<Buffer>((resolve, reject) => {
    function refuse(error: ApiError): void {
      req.off('data', take)
      reject(error)
    }
    function take(chunk: Buffer): void {
      pieces++
      if (length + chunk.length > maxBytes) refuse(payloadTooLarge(maxBytes))
      else if (pieces > maxPieces) refuse(tooManyPieces())
      else append(chunk)
    }
    req.on('data', take)
    const brokenOff = () => reject(brokenOffBody())
    req.once('error', brokenOff).once('close', brokenOff)
    req.once('end', () => {
      req.off('close', brokenOff) // which follows a complete body too: making an error takes 25 µs
      resolve(bytes.subarray(0, length))
    })
  }).finally(held.release)
}
