// Encodes one picture in a process of its own, because decoders of pictures are native code that strangers' files are
// made to break: it has no settings and no connections, and its end is not that of a worker. Reads the picture's bytes
// from stdin and writes `Outcome` as JSON.
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'

/** Base64. */
export type Outcome = { hash: string; webp: string; small: string | null; card: string } | { refused: string }

/** Maximum size of a picture's encodings together; the table has the same bound. */
const MAX_BYTES = 150 * 1024
const MAX_PIXELS = 40_000_000
const MIN_SIDE = 16
const SECONDS = 15

const LOGO = 128
const SMALL_LOGO = 64
/** Cards show a larger logo than pages do. */
const CARD_LOGO = 192
const BANNER = { width: 960, height: 240 }
const CARD_BANNER = { width: 1200, height: 300 }
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }
/** Tried from the best: the first one with which all encodings fit is used. */
const QUALITIES = [82, 70, 55, 40, 25]

sharp.cache(false)
sharp.concurrency(1)
// libvips reads dozens of formats, SVG and PDF among them. Only the loaders of these four are left.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

/** The first frame, upright, without metadata. */
const open = (bytes: Buffer) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, pages: 1 })
    .autoOrient()
    .toColourspace('srgb')
    .timeout({ seconds: SECONDS })

interface Pixels {
  data: Buffer
  info: { width: number; height: number; channels: 1 | 2 | 3 | 4 }
}

async function pixelsOf(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, info: info as Pixels['info'] }
}

const again = ({ data, info: { width, height, channels } }: Pixels) => sharp(data, { raw: { width, height, channels } })

interface Encoded {
  webp: Buffer
  small: Buffer | null
  card: Buffer
}

async function encodeLogo(bytes: Buffer) {
  const square = { width: CARD_LOGO, height: CARD_LOGO, fit: 'contain', background: TRANSPARENT } as const
  const pixels = await pixelsOf(open(bytes).resize(square))
  return async (quality: number): Promise<Encoded> => ({
    webp: await again(pixels).resize(LOGO).webp({ quality, effort: 5 }).toBuffer(),
    small: await again(pixels)
      .resize(SMALL_LOGO)
      .webp({ quality: Math.min(quality, 75), effort: 5 })
      .toBuffer(),
    card: await again(pixels).png({ palette: true, quality, effort: 7 }).toBuffer(),
  })
}

/** A banner of other proportions is shown whole, on a blurred ground of itself. */
async function encodeBanner(bytes: Buffer) {
  const whole = await pixelsOf(open(bytes).resize({ ...CARD_BANNER, fit: 'inside' }))
  const ground = await pixelsOf(
    again(whole)
      .resize({ ...CARD_BANNER, fit: 'cover' })
      .blur(24)
      .modulate({ brightness: 0.7 })
      .flatten({ background: '#1b2129' }),
  )
  const { data, info } = whole
  const pixels = await pixelsOf(again(ground).composite([{ input: data, raw: info }]))
  return async (quality: number): Promise<Encoded> => ({
    webp: await again(pixels).resize(BANNER).webp({ quality, effort: 5 }).toBuffer(),
    small: null,
    card: await again(pixels)
      .removeAlpha()
      .jpeg({ quality: Math.min(quality, 75), mozjpeg: true })
      .toBuffer(),
  })
}

const sizeOf = ({ webp, small, card }: Encoded) => webp.length + (small?.length ?? 0) + card.length

/** What libvips says of a broken file is of no use to its owner. */
const REFUSALS: [RegExp, string][] = [
  [/pixel limit/i, 'has more than 40 megapixels'],
  [/timeout/i, 'takes too long to decode'],
]

async function encode(bytes: Buffer, kind: string): Promise<Outcome> {
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata()
    if (Math.min(width, height) < MIN_SIDE) return { refused: `is smaller than ${MIN_SIDE} × ${MIN_SIDE} pixels` }
    const encodeWith = await (kind === 'logo' ? encodeLogo(bytes) : encodeBanner(bytes))
    for (const quality of QUALITIES) {
      const encoded = await encodeWith(quality)
      if (sizeOf(encoded) > MAX_BYTES) continue
      const { webp, small, card } = encoded
      const hash = createHash('sha256').update(webp).digest('base64url')
      const [webpText, cardText] = [webp.toString('base64'), card.toString('base64')]
      return { hash, webp: webpText, small: small?.toString('base64') ?? null, card: cardText }
    }
    return { refused: 'has too much detail to be stored' }
  } catch (error) {
    const { message } = error as Error
    return { refused: REFUSALS.find(([said]) => said.test(message))?.[1] ?? 'can’t be decoded: the file is damaged' }
  }
}

if (import.meta.main)
  process.stdout.write(JSON.stringify(await encode(await buffer(process.stdin), process.argv[2] ?? '')))
