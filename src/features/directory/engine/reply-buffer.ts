// The bytes of a reply while it is rendered. Replies are rendered one after the other, so one buffer serves them all.
import { hash } from 'node:crypto'
import type { PagePosition } from '../../../platform/http/paging.ts'
import { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import type { PartRange, TextArena } from './text-arena.ts'

export function createReplyBuffer() {
  let bytes = Buffer.allocUnsafeSlow(65_536)
  let length = 0

  function growFor(more: number): void {
    if (length + more <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow((length + more) * 2)
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }

  function write(text: string): void {
    growFor(text.length * 3) // UTF-8 takes at most three bytes per UTF-16 unit
    length += bytes.write(text, length, 'utf8')
  }

  return {
    /** Begins another reply. */
    begin(): void {
      length = 0
    },
    write,
    /** Writes parts of a slot's record. */
    writeParts(records: TextArena, slot: number, range: PartRange): void {
      const size = records.copy(slot, range, bytes, length)
      if (length + size > bytes.length) {
        growFor(size)
        records.copy(slot, range, bytes, length)
      }
      length += size
    },
    /** The position where the next text is written. */
    position: () => length,
    /** Replaces the character at this position by another of one byte. */
    replaceAt(position: number, character: string): void {
      bytes.write(character, position)
    },
    textFrom: (position: number): string => bytes.toString('utf8', position, length),
    /** Removes what was written from this position on. */
    cutTo(position: number): void {
      length = position
    },
    /** A copy of what was written, so that the next reply does not overwrite it. */
    copy: (): Buffer => Buffer.copyBytesFrom(bytes, 0, length),
    /** The reply with a strong entity tag: equal bytes have equal tags, whichever process or snapshot rendered them. */
    finish(pagination?: PagePosition): RenderedJson {
      const own = Buffer.allocUnsafeSlow(length) // pages are cached, and must not keep a pool of other texts alive
      bytes.copy(own, 0, 0, length)
      // 132 bits; SHA-256 is also the fastest hash on processors with instructions for it.
      const tag = hash('sha256', own, 'base64url').slice(0, 22)
      return new RenderedJson(own, `"${tag}"`, { maxAgeSeconds: 1, pagination })
    },
  }
}
