// A checksum of a table's rows that does not depend on their order, which differs in a restored table.
import { hash } from 'node:crypto'

const NEWLINE = 10
const SHA256_WORDS = 8

export interface TableSum {
  rows: number
  /** The sum of the rows' SHA-256 hashes, word by word modulo 2^32, in hexadecimal. */
  checksum: string
}

export interface RowChecksum {
  /** Adds a chunk of a table in COPY's text format, with one row per line; chunks may end anywhere. */
  add(bytes: Buffer): void
  sum(): TableSum
}

export function createRowChecksum(): RowChecksum {
  const words = new Uint32Array(SHA256_WORDS)
  let rows = 0
  let begun: Buffer[] = []

  function addRow(row: Buffer): void {
    const digest = hash('sha256', row, 'buffer')
    for (let i = 0; i < SHA256_WORDS; i++) words[i] = (words[i] ?? 0) + digest.readUInt32BE(4 * i)
    rows++
  }

  return {
    add(bytes) {
      let from = 0
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        const row = bytes.subarray(from, end)
        addRow(begun.length ? Buffer.concat([...begun, row]) : row)
        begun = []
        from = end + 1
      }
      if (from < bytes.length) begun.push(bytes.subarray(from))
    },
    sum: () => ({ rows, checksum: Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('') }),
  }
}
