// Stores each server's fixed JSON as UTF-8 outside the JavaScript heap, without an object per server; pages are copied
// from it.
import { int16At, uint32At } from './number-at.ts'

/** Consecutive parts of a record: from index `from` to before index `to`. */
export interface PartRange {
  from: number
  to: number
}

interface Chunk {
  bytes: Buffer
  /** The same memory as numbers of 32 and of 16 bits. */
  words: Uint32Array
  halves: Uint16Array
  used: number
  live: number
}

const CHUNK_BYTES = 1 << 20
// A record's position is chunk * OFFSETS + offset: exact in a double, because no record starts at or after CHUNK_BYTES.
const OFFSETS = CHUNK_BYTES
const NOTHING = Buffer.alloc(0)
/** The bit of a record's first word that marks a long text, whose length does not fit in 16 bits. */
const LONG = 2 ** 31
const LONG_FROM = 2 ** 16
/** Index of the end of the first part in a record, in numbers of 32 and of 16 bits: it follows the slot. */
const FIRST_END_WORD = 1
const FIRST_END_HALF = 2

export type TextArena = ReturnType<typeof createTextArena>

/**
 * A record is its slot (4 bytes), the end of each part (2 bytes each, or 4 of a long text), then the text, aligned to 4
 * bytes. A part with its usual text is empty there, because that text is stored once for all records: a fifth of what
 * 100,000 servers take. Edits leave dead records, which are reclaimed by chunk: when half of a chunk is dead, its other
 * records move and it is dropped.
 * @param usual the text of each part that most records have; empty: none
 */
export function createTextArena(usual: readonly string[]) {
  const parts = usual.length
  const allParts = { from: 0, to: parts }
  const usualBytes = Buffer.from(usual.join(''))
  /** Where each usual text starts in `usualBytes`; the last entry is where they end. */
  const usualStarts = Uint32Array.from({ length: parts + 1 }, (_, part) =>
    Buffer.byteLength(usual.slice(0, part).join('')),
  )
  const headerBytes = (isLong: boolean) => 4 + align((isLong ? 4 : 2) * parts)
  const chunks: (Chunk | undefined)[] = []
  const freeChunks: number[] = []
  let positions = new Float64Array(1024).fill(-1)
  let current = -1
  let encoded = chunkOf(16_384)
  let joined = Buffer.allocUnsafeSlow(16_384)

  function chunkOf(bytes: number): Chunk {
    const memory = new ArrayBuffer(align(bytes))
    return {
      bytes: Buffer.from(memory),
      words: new Uint32Array(memory),
      halves: new Uint16Array(memory),
      used: 0,
      live: 0,
    }
  }

  function openChunk(atLeast: number): number {
    const index = freeChunks.pop() ?? chunks.length
    chunks[index] = chunkOf(Math.max(CHUNK_BYTES, atLeast))
    return index
  }

  /** The chunk of a slot's record, undefined if it has none. */
  const chunkAt = (position: number): Chunk | undefined =>
    position < 0 ? undefined : chunks[Math.floor(position / OFFSETS)]
  /** The position of a slot's record; negative if it has none. */
  const positionOf = (slot: number): number => positions[slot] ?? -1

  const isLong = ({ words }: Chunk, start: number): boolean => uint32At(words, start >>> 2) >= LONG
  const textStart = (chunk: Chunk, start: number): number => start + headerBytes(isLong(chunk, start))
  /** Where a part begins in the text: at the end of the previous part. For the index `parts`: where the text ends. */
  const partStart = (chunk: Chunk, start: number, part: number): number => {
    if (part === 0) return 0
    return isLong(chunk, start)
      ? uint32At(chunk.words, (start >>> 2) + FIRST_END_WORD + part - 1)
      : int16At(chunk.halves, (start >>> 1) + FIRST_END_HALF + part - 1)
  }
  const recordLength = (chunk: Chunk, start: number): number =>
    align(textStart(chunk, start) - start + partStart(chunk, start, parts))

  function append(slot: number, from: Chunk, start: number, length: number): void {
    let chunk = chunks[current]
    if (!chunk || chunk.used + length > chunk.bytes.length || chunk.used >= CHUNK_BYTES) {
      const full = current
      current = openChunk(length)
      chunk = chunks[current]
      if (full !== -1) reclaim(full)
    }
    if (!chunk) return
    from.bytes.copy(chunk.bytes, chunk.used, start, start + length)
    positions[slot] = current * OFFSETS + chunk.used
    chunk.used += length
    chunk.live += length
  }

  function reclaim(index: number): void {
    const chunk = chunks[index]
    if (!chunk || index === current || chunk.live * 2 > chunk.used) return
    for (let start = 0; start < chunk.used; ) {
      const length = recordLength(chunk, start)
      const slot = uint32At(chunk.words, start >>> 2) % LONG
      if (positionOf(slot) === index * OFFSETS + start) append(slot, chunk, start, length)
      start += length
    }
    chunks[index] = undefined
    freeChunks.push(index)
  }

  function free(slot: number): void {
    const position = positionOf(slot)
    const chunk = chunkAt(position)
    if (!chunk) return
    chunk.live -= recordLength(chunk, position % OFFSETS)
    positions[slot] = -1
    reclaim(Math.floor(position / OFFSETS))
  }

  /**
   * Copies parts of a slot's record to `target`. If they do not fit, the target has only some of them.
   * @returns their size in bytes
   */
  function copy(slot: number, { from, to }: PartRange, target: Buffer, at: number): number {
    const position = positionOf(slot)
    const chunk = chunkAt(position)
    if (!chunk) return 0
    const start = position % OFFSETS
    const text = textStart(chunk, start)
    let length = 0
    let begin = partStart(chunk, start, from)
    // Neighbouring parts are copied together while all of them have their usual texts, or none has.
    for (let part = from; part < to; ) {
      const first = part
      part++
      let end = partStart(chunk, start, part)
      const isUsual = end === begin
      for (; part < to; part++) {
        const next = partStart(chunk, start, part + 1)
        if ((next === end) !== isUsual) break
        end = next
      }
      const source = isUsual ? usualBytes : chunk.bytes
      const sourceStart = isUsual ? uint32At(usualStarts, first) : text + begin
      const sourceEnd = isUsual ? uint32At(usualStarts, part) : text + end
      const size = sourceEnd - sourceStart
      if (at + length + size <= target.length) source.copy(target, at + length, sourceStart, sourceEnd)
      length += size
      begin = end
    }
    return length
  }

  return {
    /**
     * Replaces the slot's record.
     * @param texts of its parts; empty for a part with its usual text
     */
    write(slot: number, texts: readonly string[]): void {
      free(slot)
      if (slot >= positions.length) {
        const larger = new Float64Array(Math.max(slot + 1, Math.ceil(positions.length * 1.5))).fill(-1)
        larger.set(positions)
        positions = larger
      }
      // One call for the whole record: a call per part would take a tenth of the time to load a large directory.
      const text = texts.join('')
      const isLongText = text.length * 3 >= LONG_FROM // UTF-8 takes at most three bytes per UTF-16 unit
      const header = headerBytes(isLongText)
      const most = header + 3 * text.length
      if (most > encoded.bytes.length) encoded = chunkOf(most * 2)
      encoded.words[0] = isLongText ? LONG + slot : slot
      const size = encoded.bytes.write(text, header, 'utf8')
      const isAscii = size === text.length
      let end = 0
      for (let part = 0; part < parts; part++) {
        const partText = texts[part] ?? ''
        end += isAscii ? partText.length : Buffer.byteLength(partText)
        if (isLongText) encoded.words[FIRST_END_WORD + part] = end
        else encoded.halves[FIRST_END_HALF + part] = end
      }
      append(slot, encoded, 0, align(header + end))
    },
    free,
    copy,
    /** @returns the size of these parts in bytes */
    sizeOf: (slot: number, range: PartRange): number => copy(slot, range, NOTHING, 0),
    /** @param range all parts by default */
    read(slot: number, range: PartRange = allParts): string {
      const size = copy(slot, range, joined, 0)
      if (size > joined.length) {
        joined = Buffer.allocUnsafeSlow(size * 2)
        copy(slot, range, joined, 0)
      }
      return joined.toString('utf8', 0, size)
    },
    /** @returns used bytes, including dead records */
    bytes: () => chunks.reduce((sum, chunk) => sum + (chunk?.bytes.length ?? 0), 0),
  }
}

const align = (bytes: number) => (bytes + 3) & ~3
