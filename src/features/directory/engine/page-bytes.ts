// How many bytes servers take in a page, without rendering it.
import { RANGES } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** Names and values that polls and votes write: at most 298 with every number at its longest. */
const LIVE_FIELDS_BYTES = 320

/** The maximum size of a server as an item of the feed, the look-up and the live stream. */
export function itemBytes({ records, maps, geography }: Snapshot, slot: number): number {
  const record = records.sizeOf(slot, RANGES.list)
  const texts = Buffer.byteLength(maps.jsonOf(slot)) + Buffer.byteLength(JSON.stringify(geography.regionOf(slot)))
  return record + texts + LIVE_FIELDS_BYTES
}

/** @returns how many of these slots, from the first, fit into that many bytes; at least one if there is any */
export function countFitting(snapshot: Snapshot, slots: readonly number[], bytes: number): number {
  let left = bytes
  for (const [index, slot] of slots.entries()) {
    left -= itemBytes(snapshot, slot)
    if (left < 0) return Math.max(index, 1)
  }
  return slots.length
}
