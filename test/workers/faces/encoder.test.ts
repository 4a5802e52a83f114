// What becomes of pictures that owners give, in the process that decodes them.
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { EncodedImage } from '../../../src/features/faces/index.ts'
import { createEncoder } from '../../../workers/faces/encoder.ts'
import { animation, BLUE, declares, noise, photograph, plain, pngOf, RED, SVG, textBomb } from './pictures.ts'

const encode = createEncoder()
const { signal } = new AbortController()

async function encoded(bytes: Buffer, kind: 'logo' | 'banner' = 'logo'): Promise<EncodedImage> {
  const result = await encode(bytes, kind, signal)
  if ('refused' in result) throw new Error(`refused: ${result.refused}`)
  return result
}
const refusal = (bytes: Buffer) => encode(bytes, 'logo', signal)
const sizeOf = async (bytes: Buffer) => {
  const { format, width, height, pages = 1 } = await sharp(bytes).metadata()
  return { format, width, height, pages }
}

async function colorAt(bytes: Buffer, left: number, top: number) {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [r = 0, g = 0, b = 0] = data
  return r > b && r > g ? 'red' : b > g ? 'blue' : 'green'
}

describe('a logo', () => {
  it.each([
    ['PNG', () => plain().png().toBuffer()],
    ['JPEG', () => plain().jpeg().toBuffer()],
    ['WebP', () => plain().webp().toBuffer()],
    ['GIF', () => plain().gif().toBuffer()],
  ])(
    'of %s becomes WebP of two sizes, named by its hash, and PNG for cards',
    async (_, picture) => {
      const { hash, webp, small, card } = await encoded(await picture())
      expect(hash).toBe(createHash('sha256').update(webp).digest('base64url'))
      expect(await sizeOf(webp)).toEqual({ format: 'webp', width: 128, height: 128, pages: 1 })
      expect(await sizeOf(small as Buffer)).toEqual({ format: 'webp', width: 64, height: 64, pages: 1 })
      expect(await sizeOf(card)).toEqual({ format: 'png', width: 192, height: 192, pages: 1 })
    },
    60_000,
  )

  it('keeps its proportions on a transparent ground', async () => {
    const { webp } = await encoded(await pngOf({ width: 400, height: 100 }))
    const { data } = await sharp(webp)
      .extract({ left: 64, top: 2, width: 1, height: 1 })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data[3]).toBe(0)
    expect(await colorAt(webp, 64, 64)).toBe('red')
  })

  it('is encoded alike by each worker, so that it is stored once', async () => {
    const bytes = await photograph()
    const [first, second] = [await encoded(bytes), await createEncoder()(bytes, 'logo', signal)]
    expect((second as EncodedImage).hash).toBe(first.hash)
  })
})

it('a banner becomes four times as wide as high, whatever it was, and is shown whole', async () => {
  const { webp, small, card } = await encoded(await pngOf({ width: 468, height: 60 }), 'banner')
  expect(await sizeOf(webp)).toMatchObject({ format: 'webp', width: 960, height: 240 })
  expect(await sizeOf(card)).toMatchObject({ format: 'jpeg', width: 1200, height: 300 })
  expect(small).toBeNull()
})

it('even the noisiest picture takes at most 150 kB', async () => {
  const { webp, card } = await encoded(await noise(), 'banner')
  expect(webp.length + card.length).toBeLessThanOrEqual(150 * 1024)
})

describe('of a photograph', () => {
  it('place, camera and author are gone, and it stands upright', async () => {
    const bytes = await photograph()
    expect(bytes.toString('latin1')).toContain('Ann Owner')
    expect(await sharp(bytes).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) })
    const { webp, small, card } = await encoded(bytes)
    for (const image of [webp, small as Buffer, card]) {
      const { exif, icc, xmp, iptc, orientation } = await sharp(image).metadata()
      expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined])
      expect(image.toString('latin1')).not.toMatch(/Ann Owner|Exif|GPS/)
    }
    // Turned by 90° clockwise, its upper half is at the right.
    expect([await colorAt(webp, 84, 64), await colorAt(webp, 44, 64)]).toEqual(['red', 'blue'])
  })
})

it('of an animation the first frame is shown', async () => {
  const bytes = await animation()
  expect((await sharp(bytes, { pages: -1 }).metadata()).pages).toBe(3)
  const { webp } = await encoded(bytes)
  expect(await sizeOf(webp)).toMatchObject({ pages: 1 })
  expect(await colorAt(webp, 64, 64)).toBe('red')
})

describe('refused, each with its reason, is', () => {
  it('what is no picture of the four types', async () => {
    for (const bytes of [SVG, Buffer.from('%PDF-1.7'), Buffer.from('II*\0'), Buffer.from('BM'), Buffer.alloc(0)])
      expect(await refusal(bytes)).toEqual({ refused: 'is not a PNG, JPEG, WebP or GIF image' })
  })

  it('an SVG behind the first bytes of a PNG: its loader is blocked', async () => {
    const disguised = Buffer.concat([(await pngOf()).subarray(0, 8), SVG])
    expect(await refusal(disguised)).toEqual({ refused: expect.stringContaining('can’t be decoded') })
  })

  it('50,000 × 50,000 pixels, by its header alone', async () => {
    expect(await refusal(declares(50_000, 50_000))).toEqual({ refused: 'has more than 40 megapixels' })
  })

  it('a line of 1 × 40,000 pixels', async () => {
    expect(await refusal(await pngOf({ width: 1, height: 40_000 }))).toEqual({
      refused: 'is smaller than 16 × 16 pixels',
    })
  })

  it('a picture that is cut off', async () => {
    const bytes = await noise({ width: 300, height: 300 })
    expect(await refusal(bytes.subarray(0, bytes.length / 2))).toEqual({ refused: expect.stringContaining('damaged') })
    expect(await refusal(declares(2_000, 2_000))).toEqual({ refused: expect.stringContaining('damaged') })
  })

  it('one that takes its process longer than it has', async () => {
    const late = createEncoder({ timeoutMs: 20 })
    expect(await late(await pngOf(), 'logo', signal)).toEqual({ refused: 'takes too long to decode' })
  })
})

it('a text that inflates to 100 MB is left alone, and the picture around it is shown', async () => {
  const bomb = textBomb()
  expect(bomb.length).toBeLessThan(200_000)
  const result = await encode(bomb, 'logo', signal)
  if (!('refused' in result)) expect(await sizeOf(result.webp)).toMatchObject({ width: 128 })
})

it('nothing of what follows a picture in its file is kept', async () => {
  const secret = 'PK\u0003\u0004 <?php system($_GET[0]); ?> <script>alert(1)</script>'
  const { webp, small, card } = await encoded(
    Buffer.concat([await plain({}, BLUE).jpeg().toBuffer(), Buffer.from(secret)]),
  )
  for (const image of [webp, small as Buffer, card]) expect(image.toString('latin1')).not.toMatch(/script|php/)
})

it('a job that another worker has taken over is given up', async () => {
  const takenOver = new AbortController()
  const running = encode(await pngOf(), 'logo', takenOver.signal)
  takenOver.abort()
  await expect(running).rejects.toThrow()
})

it('an enormous but allowed picture is encoded', async () => {
  const { webp } = await encoded(await plain({ width: 8_000, height: 5_000 }, RED).webp({ quality: 10 }).toBuffer())
  expect(await sizeOf(webp)).toMatchObject({ width: 128, height: 128 })
})
