// PNG files of any kind, made by hand: https://www.w3.org/TR/png-3/
import { crc32, deflateSync } from 'node:zlib'

export const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

export interface PngOptions {
  width?: number
  height?: number
  /** 0: grey; 2: red, green and blue; 3: of a palette; 4 and 6: grey and the colours with transparency. */
  colorType?: keyof typeof CHANNELS
  /** Bits of each channel. */
  depth?: number
  interlace?: number
  /** Compressed. By default of the whole image, all of one colour. */
  pixels?: Buffer
  /** Between header and pixels. */
  chunks?: Buffer[]
}

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const

export function png(options: PngOptions = {}): Buffer {
  const { width = 64, height = 64, colorType = 6, depth = 8, interlace = 0, chunks = [] } = options
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colorType, 0, 0, interlace], 8)
  const { pixels = deflateSync(Buffer.alloc(height * (1 + width * CHANNELS[colorType]))) } = options
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...chunks, chunk('IDAT', pixels), chunk('IEND')])
}

/** What the header of a PNG declares. */
export const sizeOf = (image: Buffer): { width: number; height: number } => ({
  width: image.readUInt32BE(16),
  height: image.readUInt32BE(20),
})

export const typesIn = (image: Buffer): string[] => {
  const types: string[] = []
  for (let at = SIGNATURE.length; at < image.length; at += 12 + image.readUInt32BE(at))
    types.push(image.toString('latin1', at + 4, at + 8))
  return types
}
