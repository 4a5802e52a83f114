// Integers as compressed bytes: seven bits a byte, the lowest first, then raw deflate.
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * A day of samples or a month of hours is 3 to 5 kB before compression: a larger window would only cost memory and its
 * initialisation.
 */
const DEFLATE = { level: 6, windowBits: 12, memLevel: 6 }
const MAX_INFLATED_BYTES = 64 * 1024 * 1024

export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
export const unzigzag = (value: number): number => (value % 2 ? -(value + 1) / 2 : value / 2)

/** Writes integers below 2^53. */
export function createWriter(expectedBytes: number) {
  let bytes = Buffer.allocUnsafe(64 + expectedBytes)
  let length = 0
  const natural = (value: number): void => {
    if (length + 8 > bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)])
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes[length++] = (rest % 128) + 128
    bytes[length++] = rest
  }
  return {
    natural,
    integer: (value: number) => natural(zigzag(value)),
    pack: () => deflateRawSync(bytes.subarray(0, length), DEFLATE),
  }
}

/**
 * Reads integers in the order in which they were written.
 * @throws Error for bytes that `createWriter` does not write
 */
export function createReader(packed: Buffer) {
  const bytes = inflateRawSync(packed, { maxOutputLength: MAX_INFLATED_BYTES })
  let offset = 0
  const natural = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[offset++]
      if (byte === undefined) throw new Error('packed numbers end early')
      if (byte < 128) return value + byte * scale
      value += (byte - 128) * scale
    }
  }
  return { natural, integer: () => unzigzag(natural()) }
}

/** @returns undefined for bytes that `decode` can't read: those of a damaged disk, for example */
export function decodeUnlessDamaged<T>(decode: (bytes: Buffer) => T, bytes: Buffer): T | undefined {
  try {
    return decode(bytes)
  } catch {
    return undefined
  }
}
