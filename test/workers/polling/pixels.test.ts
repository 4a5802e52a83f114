// Pixels of each kind of PNG, and their averages.
import { deflateSync } from 'node:zlib'
import { decode } from 'fast-png'
import { expect, test } from 'vitest'
import { type Pixels, scaledTo, toRgba } from '../../../workers/polling/pixels.ts'
import { chunk, type PngOptions, png } from './png.ts'

const rgbaOf = (options: PngOptions, line: number[]) =>
  Array.from(toRgba(decode(png({ height: 1, ...options, pixels: deflateSync(Buffer.from([0, ...line])) }))).data)

test.each<[string, PngOptions, number[], number[]]>([
  ['red, green, blue and alpha', { width: 1, colorType: 6 }, [1, 2, 3, 4], [1, 2, 3, 4]],
  ['red, green and blue', { width: 1, colorType: 2 }, [1, 2, 3], [1, 2, 3, 255]],
  [
    'one transparent colour',
    { width: 3, colorType: 2, chunks: [chunk('tRNS', Buffer.from([0, 1, 0, 2, 0, 3]))] },
    [1, 2, 3, 1, 2, 4, 0, 2, 3],
    [1, 2, 3, 0, 1, 2, 4, 255, 0, 2, 3, 255],
  ],
  ['16 bits', { width: 1, colorType: 2, depth: 16 }, [255, 255, 128, 0, 0, 0], [255, 127, 0, 255]],
  ['grey', { width: 2, colorType: 0 }, [0, 7], [0, 0, 0, 255, 7, 7, 7, 255]],
  ['grey and alpha', { width: 1, colorType: 4 }, [7, 9], [7, 7, 7, 9]],
  [
    'black and white',
    { width: 3, colorType: 0, depth: 1 },
    [0b10100000],
    [255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255],
  ],
  [
    'a palette with alpha',
    {
      width: 2,
      colorType: 3,
      depth: 4,
      chunks: [chunk('PLTE', Buffer.from([1, 2, 3, 4, 5, 6])), chunk('tRNS', Buffer.from([9]))],
    },
    [0x01],
    [1, 2, 3, 9, 4, 5, 6, 255],
  ],
])('%s', (_kind, options, line, rgba) => {
  expect(rgbaOf(options, line)).toEqual(rgba)
})

const image = (width: number, height: number, pixels: number[][]): Pixels => ({
  width,
  height,
  data: Uint8Array.from(pixels.flat()),
  channels: 4,
  depth: 8,
})

test('an image is scaled by averages, in which transparent pixels have no colour', () => {
  const sent = image(4, 2, [
    [200, 0, 0, 255],
    [100, 0, 0, 255],
    [9, 9, 9, 0],
    [0, 50, 0, 200],
    [200, 0, 0, 255],
    [100, 0, 0, 255],
    [9, 9, 9, 0],
    [0, 50, 0, 200],
  ])
  expect(scaledTo(2, sent)).toEqual(
    image(2, 1, [
      [150, 0, 0, 255],
      [0, 50, 0, 100],
    ]),
  )
  expect(scaledTo(4, sent)).toBe(sent)
  const narrow = image(
    200,
    1,
    Array.from({ length: 200 }, () => [1, 2, 3, 255]),
  )
  expect(scaledTo(64, narrow)).toMatchObject({ width: 64, height: 1 })
})
