// Icons of game servers: a stranger's PNG is decoded, and encoded again in at most 64 × 64 pixels. Nothing else of it
// is kept.
import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { decode, encode } from 'fast-png'
import { LRUCache } from 'lru-cache'
import { scaledTo, toRgba } from './pixels.ts'

const ICON_SIZE = 64
/** Minecraft's icons have 64 × 64 pixels, which are 16 kB without compression; FiveM's have 96 × 96. */
const MAX_SENT_SIZE = 256
const MAX_SENT_BYTES = 64 * 1024
/** Four channels of 16 bits, and for each line its filter; interlaced images have at most twice as many lines. */
const MAX_INFLATED_BYTES = MAX_SENT_SIZE * (MAX_SENT_SIZE * 8 + 2)
/** Per process. 10,000 icons of Minecraft servers take about 60 MB. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024
/** Some servers send another icon at each ping. */
const DECODE_EVERY_MS = 10 * 60_000
/** One takes 2 ms, in which no server is polled. */
const DECODES_PER_SECOND = 20

export interface Icons {
  /**
   * @param server any key: each server's icons are decoded at most every ten minutes
   * @param sent base64, also as a data URL
   * @returns null if what was sent is no icon; undefined if it is not decoded now
   */
  of(server: string, sent: unknown): Buffer | null | undefined
}

export function createIcons({ now = () => performance.now() }: { now?: () => number } = {}): Icons {
  const icons = new LRUCache<string, { icon: Buffer | null }>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ icon }) => 200 + (icon?.length ?? 0),
  })
  const recentServers = new LRUCache<string, true>({
    max: (DECODES_PER_SECOND * DECODE_EVERY_MS) / 1_000,
    ttl: DECODE_EVERY_MS,
    ttlResolution: 0,
    perf: { now },
  })
  let second = { began: now(), decoded: 0 }

  function mayDecode(server: string): boolean {
    if (now() - second.began >= 1_000) second = { began: now(), decoded: 0 }
    if (second.decoded >= DECODES_PER_SECOND || recentServers.has(server)) return false
    second.decoded++
    recentServers.set(server, true)
    return true
  }

  return {
    of(server, sent) {
      const bytes = typeof sent === 'string' ? bytesOf(sent) : undefined
      if (!bytes) return null
      const key = createHash('sha256').update(bytes).digest('base64url')
      const known = icons.get(key)
      if (known) return known.icon
      if (!mayDecode(server)) return undefined
      const icon = encodeIcon(bytes) ?? null
      icons.set(key, { icon })
      return icon
    },
  }
}

/** One per process, so that an icon is decoded once. */
export const icons = createIcons()

/** Old Minecraft servers break the base64 text into lines. */
function bytesOf(sent: string): Buffer | undefined {
  if (sent.length > 2 * MAX_SENT_BYTES) return undefined
  const bytes = Buffer.from(sent.replace(/^data:image\/png;base64,/, ''), 'base64')
  return bytes.length <= MAX_SENT_BYTES ? bytes : undefined
}

/** Equal for equal bytes. @returns undefined if `sent` is no PNG of a small image */
export function encodeIcon(sent: Buffer): Buffer | undefined {
  try {
    const image = decode(essentialChunks(sent), { checkCrc: true })
    return Buffer.from(encode(scaledTo(ICON_SIZE, toRgba(image)), { zlib: { level: 9 } }))
  } catch {
    return undefined
  }
}

const SIGNATURE_LENGTH = 8
/** All that a decoder needs: no texts, profiles, animation. */
const ESSENTIAL = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** Length and type before a chunk's data, and its checksum after it. */
const [BEFORE_DATA, AFTER_DATA] = [8, 4]

/** A PNG with those chunks only. Throws if it has none, or is larger than an icon by its header or its pixels. */
function essentialChunks(png: Buffer): Buffer {
  const kept = [png.subarray(0, SIGNATURE_LENGTH)]
  const pixels: Buffer[] = []
  let type = ''
  for (let at = SIGNATURE_LENGTH; type !== 'IEND'; ) {
    const data = at + BEFORE_DATA
    const end = data + png.readUInt32BE(at)
    type = png.toString('latin1', at + 4, data)
    if (end + AFTER_DATA > png.length || (kept.length === 1) !== (type === 'IHDR')) throw new Error('no PNG')
    if (type === 'IHDR') requireSmall(png.readUInt32BE(data), png.readUInt32BE(data + 4))
    if (type === 'IDAT') pixels.push(png.subarray(data, end))
    at = end + AFTER_DATA
    if (ESSENTIAL.has(type)) kept.push(png.subarray(data - BEFORE_DATA, at))
  }
  // The decoder inflates without a bound.
  inflateSync(Buffer.concat(pixels), { maxOutputLength: MAX_INFLATED_BYTES })
  return Buffer.concat(kept)
}

function requireSmall(width: number, height: number): void {
  if (!width || !height || width > MAX_SENT_SIZE || height > MAX_SENT_SIZE) throw new Error('no icon')
}
