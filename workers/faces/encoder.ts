// Has pictures encoded in processes of their own, one at a time: a picture of 40 megapixels takes up to 500 MB while it
// is decoded.
import { execFile } from 'node:child_process'
import path from 'node:path'
import pLimit from 'p-limit'
import { type EncodedImage, type FaceKind, IMAGE_TYPES_IN_WORDS, imageTypeOf } from '../../src/features/faces/index.ts'
import type { Outcome } from './encode-picture.ts'

const PROGRAM = path.join(import.meta.dirname, 'encode-picture.ts')
/** The program gives up by itself after 15 s in a step that can be interrupted. */
const TIMEOUT_MS = 20_000
/** 150 kB as base64, and some to spare. */
const MAX_OUTPUT_BYTES = 512 * 1024

/** @returns the picture, or why it is refused; throws if the process ended before it had answered */
export type Encode = (bytes: Buffer, kind: FaceKind, signal: AbortSignal) => Promise<EncodedImage | { refused: string }>

export function createEncoder({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}): Encode {
  const oneAtATime = pLimit(1)

  return (bytes, kind, signal) =>
    oneAtATime(async () => {
      signal.throwIfAborted()
      if (!imageTypeOf(bytes)) return { refused: `is not ${IMAGE_TYPES_IN_WORDS}` }
      const outcome = await run(bytes, kind, { timeoutMs, signal })
      if ('refused' in outcome) return outcome
      const { hash, webp, small, card } = outcome
      return { hash, webp: decode(webp), small: small === null ? null : decode(small), card: decode(card) }
    })
}

const decode = (base64: string) => Buffer.from(base64, 'base64')

function run(bytes: Buffer, kind: FaceKind, { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal }) {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const options = {
    env: {}, // no settings: the picture may take the process over
    signal,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
  } as const
  const child = execFile(process.execPath, ['--no-warnings', PROGRAM, kind], options, (error, stdout) => {
    if (signal.aborted) reject(signal.reason)
    else if (error?.killed) resolve({ refused: 'takes too long to decode' })
    else if (error?.signal)
      resolve({ refused: 'can’t be decoded' }) // the decoder crashed, and would again
    else if (error) reject(new Error('the process that decodes pictures ended without an answer', { cause: error }))
    else resolve(JSON.parse(stdout) as Outcome)
  })
  child.stdin?.on('error', () => undefined) // a process that ends early says why by its exit
  child.stdin?.end(bytes)
  return promise
}
