// Reads a request body into one buffer of bounded size. Rejects a longer body as soon as its length is known.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { contextOf } from './context.ts'
import { ApiError } from './errors.ts'

const FIRST_BYTES = 1024

export const payloadTooLarge = (most: number, cause?: unknown) =>
  new ApiError(413, 'payload_too_large', `The body may have at most ${most} bytes.`, { cause })

/**
 * @param most bytes
 * @throws ApiError 413 payload_too_large; 400 malformed_json if the client disconnects
 */
export function readBytes(req: IncomingMessage, res: ServerResponse, most: number): Promise<Buffer> {
  const declared = Number(req.headers['content-length'] ?? 0)
  if (declared > most) throw payloadTooLarge(most)
  const { load, clientKey } = contextOf(res)
  const held = load.holdBody(req, clientKey)
  // One buffer, not a list: a body that arrives byte by byte would take a hundred times its size.
  let bytes: Buffer = Buffer.alloc(0)
  let length = 0

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
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(needed, 2 * bytes.length, FIRST_BYTES), most))
    held.add(larger.length - bytes.length)
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }

  return new Promise<Buffer>((resolve, reject) => {
    function take(chunk: Buffer): void {
      if (length + chunk.length > most) {
        req.off('data', take)
        reject(payloadTooLarge(most))
      } else append(chunk)
    }
    req.on('data', take)
    req.once('end', () => resolve(bytes.subarray(0, length)))
    const brokenOff = () => reject(new ApiError(400, 'malformed_json', 'The body ended before it was complete.'))
    req.once('error', brokenOff).once('close', brokenOff)
  }).finally(held.release)
}
