// Keeps each server's fixed JSON as UTF-8 outside the JavaScript heap: no object a server, and a page is copied out of it.

export interface TextArena {
  /** Stores the parts of a slot's record in the place of what it had. */
  write(slot: number, parts: readonly string[]): void
  free(slot: number): void
  /** @returns the bytes that parts `from` up to, not including, `to` take */
  byteLength(slot: number, from: number, to: number): number
  /** Copies the parts `from` up to, not including, `to` to `target`. */
  copy(slot: number, from: number, to: number, target: Buffer, at: number): void
  read(slot: number): string
}

interface Chunk {
  bytes: Buffer
  used: number
  live: number
}

const CHUNK_BYTES = 1 << 20
// A record's place is chunk * OFFSETS + offset: exact in a double, as chunks start no record at or past CHUNK_BYTES.
const OFFSETS = CHUNK_BYTES

/**
 * A record is its slot and the end of each part (4 bytes each), then the text. What edits leave behind is reclaimed
 * chunk by chunk: once half of one is dead, its living records move and it is dropped.
 * @param parts how many parts each record has
 */
export function createTextArena(parts: number): TextArena {
  const headerBytes = 4 * (parts + 1)
  const chunks: (Chunk | undefined)[] = []
  const freeChunks: number[] = []
  let places = new Float64Array(1024).fill(-1)
  let current = -1
  let encoded = Buffer.allocUnsafeSlow(16_384)

  function openChunk(atLeast: number): number {
    const index = freeChunks.pop() ?? chunks.length
    chunks[index] = { bytes: Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, atLeast)), used: 0, live: 0 }
    return index
  }

  function chunkAt(index: number): Chunk {
    const chunk = chunks[index]
    if (!chunk) throw new RangeError(`text chunk ${index} is gone`)
    return chunk
  }

  /** Where the record lies; the slot must have one. */
  function locate(slot: number): { chunk: Chunk; start: number } {
    const place = places[slot] ?? -1
    if (place < 0) throw new RangeError(`slot ${slot} has no text`)
    return { chunk: chunkAt(Math.floor(place / OFFSETS)), start: place % OFFSETS }
  }

  function append(slot: number, record: Buffer): void {
    let chunk = current === -1 ? undefined : chunks[current]
    if (!chunk || chunk.used + record.length > chunk.bytes.length || chunk.used >= CHUNK_BYTES) {
      const full = current
      current = openChunk(record.length)
      chunk = chunkAt(current)
      if (full !== -1) reclaim(full)
    }
    record.copy(chunk.bytes, chunk.used)
    places[slot] = current * OFFSETS + chunk.used
    chunk.used += record.length
    chunk.live += record.length
  }

  function recordLength(bytes: Buffer, start: number): number {
    return headerBytes + bytes.readUInt32LE(start + 4 * parts)
  }

  function reclaim(index: number): void {
    const chunk = chunks[index]
    if (!chunk || index === current || chunk.live * 2 > chunk.used) return
    for (let start = 0; start < chunk.used; ) {
      const length = recordLength(chunk.bytes, start)
      const slot = chunk.bytes.readUInt32LE(start)
      if (places[slot] === index * OFFSETS + start) append(slot, chunk.bytes.subarray(start, start + length))
      start += length
    }
    chunks[index] = undefined
    freeChunks.push(index)
  }

  function free(slot: number): void {
    const place = places[slot] ?? -1
    if (place < 0) return
    const { chunk, start } = locate(slot)
    chunk.live -= recordLength(chunk.bytes, start)
    places[slot] = -1
    reclaim(Math.floor(place / OFFSETS))
  }

  const partEnd = (bytes: Buffer, start: number, part: number) =>
    part === 0 ? 0 : bytes.readUInt32LE(start + 4 * part)

  return {
    write(slot, texts) {
      free(slot)
      if (slot >= places.length) {
        const larger = new Float64Array(Math.max(slot + 1, places.length * 2)).fill(-1)
        larger.set(places)
        places = larger
      }
      const most = headerBytes + 3 * texts.reduce((sum, text) => sum + text.length, 0)
      if (most > encoded.length) encoded = Buffer.allocUnsafeSlow(most * 2)
      let end = 0
      encoded.writeUInt32LE(slot, 0)
      for (let part = 0; part < parts; part++) {
        end += encoded.write(texts[part] ?? '', headerBytes + end, 'utf8')
        encoded.writeUInt32LE(end, 4 * (part + 1))
      }
      append(slot, encoded.subarray(0, headerBytes + end))
    },
    free,
    byteLength(slot, from, to) {
      const { chunk, start } = locate(slot)
      return partEnd(chunk.bytes, start, to) - partEnd(chunk.bytes, start, from)
    },
    copy(slot, from, to, target, at) {
      const { chunk, start } = locate(slot)
      const text = start + headerBytes
      chunk.bytes.copy(target, at, text + partEnd(chunk.bytes, start, from), text + partEnd(chunk.bytes, start, to))
    },
    read(slot) {
      const { chunk, start } = locate(slot)
      return chunk.bytes.toString('utf8', start + headerBytes, start + recordLength(chunk.bytes, start))
    },
  }
}
