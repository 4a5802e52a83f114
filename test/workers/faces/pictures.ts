// Pictures of all kinds for tests, honest and hostile.
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { chunk, png } from '../polling/png.ts'

export const RED = { r: 200, g: 30, b: 30 }
export const BLUE = { r: 30, g: 30, b: 200 }

interface Size {
  width?: number
  height?: number
}

export const plain = ({ width = 200, height = 200 }: Size = {}, background: object = RED) =>
  sharp({ create: { width, height, channels: 3, background } })

export const pngOf = (size?: Size, background?: object) => plain(size, background).png().toBuffer()

/** Detail that no encoder makes small. */
export async function noise({ width = 1200, height = 300 }: Size = {}): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const
  return sharp({ create: { width, height, channels: 3, background: 'grey', noise } })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** A photograph that says where it was taken, and that it lies on its side: its upper half is red. */
export async function photograph(): Promise<Buffer> {
  const half = await pngOf({ width: 400, height: 100 }, BLUE)
  return plain({ width: 400, height: 200 })
    .composite([{ input: half, top: 100, left: 0 }])
    .withExif({
      IFD0: { Artist: 'Ann Owner' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

/** Three frames, of which the first is red. */
export async function animation(): Promise<Buffer> {
  const frames = [RED, BLUE, { r: 20, g: 160, b: 20 }].map((background) => pngOf({ width: 64, height: 64 }, background))
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer()
}

/** Says in its header that it is larger than its data. */
export const declares = (width: number, height: number) => png({ width, height, pixels: deflateSync(Buffer.alloc(64)) })

/** A few kilobytes of compressed text that are a hundred megabytes. */
export function textBomb(): Buffer {
  const bomb = deflateSync(Buffer.alloc(100_000_000), { level: 9 })
  const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), bomb])
  return png({ width: 64, height: 64, colorType: 2, chunks: [chunk('zTXt', text)] })
}

export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><script>alert(1)</script><image href="file:///etc/passwd"/></svg>',
)
