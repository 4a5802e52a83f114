// Samples as bytes: an item per poll as polls append them, and compressed items of many (docs/decisions/0035).
import { createReader, createWriter, unzigzag, zigzag } from './packed-numbers.ts'

export interface Sample {
  /** Seconds since 1970. */
  at: number
  /** null: the server did not answer. */
  players: number | null
  maxPlayers: number
}

/**
 * The bytes are items, in any order of time. An item begins with its kind; `player_history_sample` writes the first.
 */
const ONE = 1
const MANY = 2
const MANY_HEADER = 5
/** Times count from 2020, so that four bytes last until 2088. */
const EPOCH = 1_577_836_800
const INT4 = 2 ** 31

/** All samples of `bytes`, in stored order. @throws Error for bytes that `encodeSamples` and polls do not write */
export function decodeSamples(bytes: Buffer): Sample[] {
  const samples: Sample[] = []
  for (let offset = 0; offset < bytes.length; ) offset = readItem(bytes, offset, samples)
  return samples
}

/** Splits single samples: those before `time`, and the bytes of the others. */
export function splitSamples(bytes: Buffer, time: number): { before: Sample[]; rest: Buffer } {
  const before: Sample[] = []
  const rest: Buffer[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const end = readItem(bytes, offset, before)
    const isLater = (before.at(-1)?.at ?? 0) >= time
    if (isLater) {
      before.pop()
      rest.push(bytes.subarray(offset, end))
    }
    offset = end
  }
  return { before, rest: Buffer.concat(rest) }
}

/** Appends the samples of the item at `offset`. @returns where the next one begins */
function readItem(bytes: Buffer, offset: number, samples: Sample[]): number {
  const kind = bytes[offset]
  if (kind === ONE) {
    const players = readCount(bytes, offset + 5)
    const maxPlayers = readCount(bytes, players.end)
    const at = EPOCH + bytes.readInt32BE(offset + 1)
    samples.push({ at, players: players.count, maxPlayers: maxPlayers.count ?? 0 })
    return maxPlayers.end
  }
  if (kind !== MANY) throw new Error(`unknown kind of history item: ${kind}`)
  const end = offset + MANY_HEADER + bytes.readUInt32BE(offset + 1)
  decodeMany(bytes.subarray(offset + MANY_HEADER, end), samples)
  return end
}

/** A count's first byte: four bytes with the count follow. Otherwise it is the count + 1, or 0 for null. */
const LONG_COUNT = 255

/** Reads a count as the SQL function `player_history_count` writes it. */
function readCount(bytes: Buffer, offset: number): { count: number | null; end: number } {
  const first = bytes.readUInt8(offset)
  if (first === LONG_COUNT) return { count: bytes.readInt32BE(offset + 1), end: offset + 5 }
  return { count: first === 0 ? null : first - 1, end: offset + 1 }
}

/**
 * Compresses samples to one item. Polls are jittered, so times are stored as differences of differences from the usual
 * distance; columns lie one after the other, because each compresses better alone.
 */
export function encodeSamples(samples: readonly Sample[]): Buffer {
  if (!samples.length) return Buffer.alloc(0)
  const sorted = samples.toSorted((a, b) => a.at - b.at)
  const out = createWriter(sorted.length * 4)
  const distance = usualDistance(sorted)
  out.natural(sorted.length)
  out.natural(distance)
  let at = EPOCH - distance
  for (const sample of sorted) {
    out.integer(sample.at - at - distance)
    at = sample.at
  }
  let players = 0
  for (const sample of sorted) {
    if (sample.players === null) out.natural(0)
    else {
      out.natural(zigzag(sample.players - players) + 1)
      players = sample.players
    }
  }
  // `maxPlayers` almost never changes, so it is stored as runs of equal numbers.
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const maxPlayers = sorted[from]?.maxPlayers ?? 0
    while (sorted[to]?.maxPlayers === maxPlayers) to++
    out.natural(to - from)
    out.integer(maxPlayers)
  }
  const packed = out.pack()
  const header = Buffer.alloc(MANY_HEADER)
  header[0] = MANY
  header.writeUInt32BE(packed.length, 1)
  return Buffer.concat([header, packed])
}

function decodeMany(bytes: Buffer, samples: Sample[]): void {
  const input = createReader(bytes)
  const count = input.natural()
  const distance = input.natural()
  const first = samples.length
  let at = EPOCH - distance
  for (let n = 0; n < count; n++) {
    at += input.integer() + distance
    if (Math.abs(at - EPOCH) > INT4) throw new Error('history item has an impossible time')
    samples.push({ at, players: null, maxPlayers: 0 })
  }
  let players = 0
  for (let n = 0; n < count; n++) {
    const step = input.natural()
    if (!step) continue
    players += unzigzag(step - 1)
    const sample = samples[first + n]
    if (sample) sample.players = players
  }
  for (let n = 0; n < count; ) {
    const run = input.natural()
    const maxPlayers = input.integer()
    if (run > count - n) throw new Error('history item has more values of maxPlayers than samples')
    for (const end = n + run; n < end; n++) {
      const sample = samples[first + n]
      if (sample) sample.maxPlayers = maxPlayers
    }
  }
}

/** The median distance of two samples. */
function usualDistance(sorted: readonly Sample[]): number {
  const distances = sorted.slice(1).map((sample, n) => sample.at - (sorted[n]?.at ?? 0))
  return distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? 0
}
