// Finds servers by id or `address:port`, many at once; the port is the game's or the query's.

import { hashText } from '../../../platform/hash-text.ts'
import { canonicalAddress } from '../../../platform/public-address.ts'
import { uint32At } from './number-at.ts'
import { itemBytes } from './page-bytes.ts'
import { readRecord } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** Maximum number of servers per requested address: with a game port, thousands of listings may share it. */
export const MAX_AT_ADDRESS = 20

export interface LookedUp {
  /** Each once, in the requested order. */
  slots: number[]
  /** Requested ids and addresses that are not listed, as they were requested. */
  missing: string[]
  /** Requested and listed, but did not fit. */
  remaining: string[]
}

interface Wanted {
  asked: string
  address: string
  port: number
  slots: number[]
}

/** @param bytes maximum size of the servers; those of the first request always fit */
export function lookUp(
  snapshot: Snapshot,
  { ids, addresses }: { ids: readonly string[]; addresses: readonly string[] },
  bytes: number,
): LookedUp {
  const slots = new Set<number>()
  const missing = new Set<string>()
  const remaining = new Set<string>()
  let left = bytes
  for (const { asked, slots: found } of [...findIds(snapshot, ids), ...findAddresses(snapshot, addresses)]) {
    const added = found.filter((slot) => !slots.has(slot))
    const size = added.reduce((sum, slot) => sum + itemBytes(snapshot, slot), 0)
    if (found.length === 0) missing.add(asked)
    else if (size > left && slots.size > 0) remaining.add(asked)
    else {
      for (const slot of added) slots.add(slot)
      left -= size
    }
  }
  return { slots: [...slots], missing: [...missing], remaining: [...remaining] }
}

function findIds(snapshot: Snapshot, ids: readonly string[]): { asked: string; slots: number[] }[] {
  return ids.map((asked) => {
    const slot = snapshot.slotOf(asked.toLowerCase())
    return { asked, slots: slot === undefined ? [] : [slot] }
  })
}

/** One pass over the columns for all of them; a server's record is read only if hash and port match. */
function findAddresses(snapshot: Snapshot, addresses: readonly string[]): Wanted[] {
  const wanted = addresses.map((asked): Wanted => {
    const colon = asked.lastIndexOf(':')
    const host = asked
      .slice(0, colon)
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
    const address = canonicalAddress(host) ?? host
    return { asked, address, port: Number(asked.slice(colon + 1)), slots: [] }
  })
  if (wanted.length === 0) return wanted
  const { addressHash, gamePort, queryPort } = snapshot.columns
  const byHash = Map.groupBy(wanted, ({ address }) => hashText(address))
  // Most servers match none: 16 bits of the hash show it, ten times as fast as a look-up in the map.
  const mayFit = new Uint8Array(1 << 16)
  for (const hash of byHash.keys()) mayFit[hash & 0xffff] = 1
  const end = snapshot.slotsEnd()
  for (let slot = 0; slot < end; slot++) {
    const hash = uint32At(addressHash, slot)
    if (mayFit[hash & 0xffff] === 0) continue
    const sameHash = byHash.get(hash)
    if (!sameHash || !snapshot.isTaken(slot)) continue
    const fitting = sameHash.filter(
      ({ port, slots }) => port === queryPort[slot] || (port === gamePort[slot] && slots.length < MAX_AT_ADDRESS),
    )
    if (!fitting.length) continue
    const { ipAddress } = readRecord(snapshot.records, slot)
    for (const one of fitting) if (one.address === ipAddress) one.slots.push(slot)
  }
  return wanted
}
