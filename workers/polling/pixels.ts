// Pixels of decoded images: any kind as red, green, blue and alpha of 8 bits, and fewer of them. Loops without arrays
// take a tenth of the time, in which no server is polled.
import { convertIndexedToRgb, type DecodedPng } from 'fast-png'

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, from the top left. */
  data: Uint8Array
  channels: 4
  depth: 8
}

export function toRgba(image: DecodedPng): Pixels {
  const { width, height, transparency } = image
  const { samples, channels, max } = samplesOf(image)
  const data = new Uint8Array(width * height * 4)
  const isGrey = channels < 3
  const hasAlpha = channels % 2 === 0
  for (let from = 0, to = 0; to < data.length; from += channels, to += 4) {
    const red = samples[from] ?? 0
    const green = isGrey ? red : (samples[from + 1] ?? 0)
    const blue = isGrey ? red : (samples[from + 2] ?? 0)
    let alpha = max
    if (hasAlpha) alpha = samples[from + channels - 1] ?? 0
    // One colour of an image without alpha may mean "transparent".
    else if (
      transparency &&
      red === transparency[0] &&
      (isGrey || (green === transparency[1] && blue === transparency[2]))
    )
      alpha = 0
    data[to] = (red * 255) / max
    data[to + 1] = (green * 255) / max
    data[to + 2] = (blue * 255) / max
    data[to + 3] = (alpha * 255) / max
  }
  return { width, height, data, channels: 4, depth: 8 }
}

/** Numbers from 0 to `max`, `channels` of them for each pixel. */
function samplesOf(image: DecodedPng): { samples: ArrayLike<number>; channels: number; max: number } {
  const { depth, palette } = image
  if (palette) return { samples: convertIndexedToRgb(image), channels: palette[0]?.length ?? 3, max: 255 }
  const max = 2 ** depth - 1
  if (depth >= 8) return { samples: image.data, channels: image.channels, max }
  // Several grey pixels in a byte are read as a palette of greys.
  const greys = Array.from({ length: max + 1 }, (_, grey) => [grey])
  return { samples: convertIndexedToRgb({ ...image, palette: greys }), channels: 1, max }
}

/** Scales down, by averages of whole pixels, to at most `size` × `size`. Smaller images stay. */
export function scaledTo(size: number, image: Pixels): Pixels {
  const scale = Math.max(image.width, image.height) / size
  if (scale <= 1) return image
  const width = Math.max(1, Math.round(image.width / scale))
  const height = Math.max(1, Math.round(image.height / scale))
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.floor((y * image.height) / height), Math.ceil(((y + 1) * image.height) / height)]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.floor((x * image.width) / width), Math.ceil(((x + 1) * image.width) / width)]
      writeAverage(data, (y * width + x) * 4, image, { left, right, top, bottom })
    }
  }
  return { ...image, width, height, data }
}

/** Colours count as much as they are opaque. */
function writeAverage(
  target: Uint8Array,
  to: number,
  { data, width }: Pixels,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
): void {
  let [reds, greens, blues, alphas] = [0, 0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
      const alpha = data[at + 3] ?? 0
      reds += (data[at] ?? 0) * alpha
      greens += (data[at + 1] ?? 0) * alpha
      blues += (data[at + 2] ?? 0) * alpha
      alphas += alpha
    }
  }
  if (!alphas) return
  target[to] = Math.round(reds / alphas)
  target[to + 1] = Math.round(greens / alphas)
  target[to + 2] = Math.round(blues / alphas)
  target[to + 3] = Math.round(alphas / ((right - left) * (bottom - top)))
}
