// Icons of strangers: what is kept is a small PNG that was encoded here, whatever was sent.
import { deflateSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { createIcons, encodeIcon } from '../../../workers/polling/icon.ts'
import { cpuMicrosOf } from '../../support/cpu-time.ts'
import { chunk, png, SIGNATURE, sizeOf, typesIn } from './png.ts'

const asDataUrl = (image: Buffer) => `data:image/png;base64,${image.toString('base64')}`
const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, n) => (n * 7_919) % 251))

describe('an icon', () => {
  it.each<[string, Buffer, { width: number; height: number }]>([
    ['of Minecraft’s size', png(), { width: 64, height: 64 }],
    ['that is smaller', png({ width: 16, height: 16 }), { width: 16, height: 16 }],
    ['that is larger', png({ width: 256, height: 128 }), { width: 64, height: 32 }],
    ['without transparency', png({ colorType: 2 }), { width: 64, height: 64 }],
    [
      'with a palette',
      png({ colorType: 3, chunks: [chunk('PLTE', Buffer.from([1, 2, 3])), chunk('tRNS', Buffer.from([9]))] }),
      { width: 64, height: 64 },
    ],
  ])('%s is encoded again, in at most 64 × 64 pixels', (_kind, sent, size) => {
    const icon = encodeIcon(sent)
    expect(icon && sizeOf(icon)).toEqual(size)
    expect(encodeIcon(sent)).toEqual(icon)
  })

  it('keeps nothing but its pixels', () => {
    const secret = Buffer.from('Comment\0<script>alert(1)</script>')
    const sent = png({
      chunks: [
        chunk('tEXt', secret),
        chunk('eXIf', secret),
        chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(50_000_000))])),
        chunk('iCCP', secret),
        chunk('acTL', Buffer.from([0, 0, 255, 255, 0, 0, 0, 0])),
        chunk('fdAT', secret),
      ],
    })
    const icon = encodeIcon(Buffer.concat([sent, secret]))
    expect(icon?.includes('script')).toBe(false)
    expect(new Set(icon && typesIn(icon))).toEqual(new Set(['IHDR', 'IDAT', 'IEND']))
    expect(icon).toEqual(encodeIcon(png()))
  })

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['only a signature', SIGNATURE],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600', 'hex')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>')],
    ['a GIF', Buffer.from('GIF89a')],
    ['a web page', Buffer.from('<!doctype html>')],
    ['noise after the signature', Buffer.concat([SIGNATURE, noise(5_000)])],
    ['a width of 30,000', png({ width: 30_000, height: 30_000, pixels: deflateSync(Buffer.alloc(1_000)) })],
    ['a width of 257', png({ width: 257 })],
    ['no width', png({ width: 0, pixels: deflateSync(Buffer.alloc(64)) })],
    ['a width beyond all numbers', png({ width: 0xffff_ffff, height: 1, pixels: deflateSync(Buffer.alloc(1_000)) })],
    ['pixels that are not compressed', png({ pixels: noise(5_000) })],
    ['an end in its pixels', png().subarray(0, 60)],
    ['no pixels', Buffer.concat([png().subarray(0, 33), chunk('IEND')])],
    ['two headers', Buffer.concat([png().subarray(0, 33), png().subarray(8)])],
    [
      'a chunk that is longer than the file',
      Buffer.concat([png().subarray(0, 33), Buffer.from('7fffffff49444154', 'hex')]),
    ],
    ['a wrong checksum', Buffer.concat([png().subarray(0, 29), Buffer.from([1, 2, 3, 4]), png().subarray(33)])],
  ])('is refused if it is %s', (_kind, sent) => {
    expect(encodeIcon(sent)).toBeUndefined()
  })

  it('that inflates to 60 MB costs little more than another', () => {
    const bomb = png({ pixels: deflateSync(Buffer.alloc(60_000_000)) })
    expect(bomb.length).toBeLessThan(64 * 1024)
    const before = process.memoryUsage().rss
    const icon = encodeIcon(bomb)
    if (icon) expect(sizeOf(icon)).toEqual({ width: 64, height: 64 })
    // Inflating it takes 60 MB, and 30 times as long.
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000)
    expect(cpuMicrosOf(() => encodeIcon(bomb))).toBeLessThan(10 * cpuMicrosOf(() => encodeIcon(png())))
  })

  it('that is interlaced is read as any other', () => {
    // Seven passes of 8 × 8 pixels: of 1, 1, 2, 4, 8, 16 and 32 pixels.
    const passes = [
      [1, 1],
      [1, 1],
      [2, 1],
      [2, 2],
      [4, 2],
      [4, 4],
      [8, 4],
    ] as const
    const pixels = Buffer.concat(passes.map(([width, height]) => Buffer.alloc(height * (1 + width * 4))))
    const icon = encodeIcon(png({ width: 8, height: 8, interlace: 1, pixels: deflateSync(pixels) }))
    expect(icon).toEqual(encodeIcon(png({ width: 8, height: 8 })))
  })
})

describe('a server’s icon', () => {
  it('is sent in base64, as a data URL or alone, on one line or on several', () => {
    const icons = createIcons()
    const icon = encodeIcon(png())
    for (const [server, sent] of Object.entries({
      a: asDataUrl(png()),
      b: png().toString('base64'),
      c: asDataUrl(png()).replace(/(.{76})/g, '$1\n'),
    }))
      expect(icons.of(server, sent)).toEqual(icon)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['an object', { png: 1 }],
    ['a number', 7],
    ['1 MB', `data:image/png;base64,${'A'.repeat(1_000_000)}`],
    ['65 kB of a PNG', asDataUrl(png({ chunks: [chunk('tEXt', Buffer.alloc(65_536))] }))],
    ['another type', `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`],
    ['an address', 'https://example.org/icon.png'],
  ])('is none if it is %s', (_kind, sent) => {
    expect(createIcons().of('a', sent)).toBeNull()
  })

  it('is decoded once, however many servers show it and however often', () => {
    const icons = createIcons()
    const first = icons.of('a', asDataUrl(png()))
    expect(first).toBeInstanceOf(Buffer)
    expect(icons.of('b', asDataUrl(png()))).toBe(first)
    expect(icons.of('a', asDataUrl(png()))).toBe(first)
  })

  it('that changes at each ping is decoded every ten minutes', () => {
    let now = 1
    const icons = createIcons({ now: () => now })
    const sent = (width: number) => asDataUrl(png({ width }))
    expect(icons.of('a', sent(1))).toBeInstanceOf(Buffer)
    expect(icons.of('a', sent(2))).toBeUndefined()
    expect(icons.of('b', sent(2))).toBeInstanceOf(Buffer)
    expect(icons.of('a', sent(2))).toBeInstanceOf(Buffer)
    now += 10 * 60_000 - 1
    expect(icons.of('a', sent(3))).toBeUndefined()
    now += 2
    expect(icons.of('a', sent(3))).toBeInstanceOf(Buffer)
  })

  it('is decoded later if twenty were within a second', () => {
    let now = 1
    const icons = createIcons({ now: () => now })
    const ask = () => Array.from({ length: 200 }, (_, n) => icons.of(`${n}`, asDataUrl(png({ width: n + 1 }))))
    expect(ask().filter(Boolean)).toHaveLength(20)
    expect(ask().filter(Boolean)).toHaveLength(20)
    now += 1_001
    expect(ask().filter(Boolean)).toHaveLength(40)
  })
})

test('whatever bytes follow the signature, the answer is an icon or none', () => {
  const whole = png({ chunks: [chunk('tEXt', Buffer.from('a\0b'))] })
  for (let n = 0; n < 300; n++) {
    const broken = Buffer.from(whole)
    broken[8 + ((n * 37) % (whole.length - 8))] = (n * 91) % 256
    const icon = encodeIcon(broken)
    if (icon) expect(sizeOf(icon).width).toBeLessThanOrEqual(64)
  }
})
