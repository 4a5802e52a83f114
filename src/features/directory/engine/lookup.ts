// Finds servers by id or `address:port`, many at once, or at an address as people type it. The port may be the game
// port or the query port.
import { isIPv6 } from 'node:net'

import { hashText } from '../../../platform/hash-text.ts'
import { canonicalAddress } from '../../../platform/public-address.ts'
import { uint32At } from './number-at.ts'
import { itemBytes } from './page-bytes.ts'
import { hasAddress } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** Maximum number of servers per requested address: with a game port, thousands of listings may share it. */
export const MAX_AT_ADDRESS = 20

export interface LookedUp {
  /** Each once, in the requested order. */
  slots: number[]
  /** Requested ids and addresses that are not listed, as they were requested. */
  missing: string[]
  /** Requested ids and addresses that are listed but did not fit. */
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

/** Matches `[2001:db8::1]:27015`. */
const BRACKETED = /^\[(.+)\](?::(\d{1,5}))?$/
/** Matches `play.example.org:27015` and `203.0.113.5`; a text without a dot would be a word. */
const PLAIN = /^([^\s:/]+\.[^\s:/]+)(?::(\d{1,5}))?$/

/**
 * @param typed the text of a query: an address with or without a port, or a link that joins a server
 * @returns the servers at the address; undefined if the text is no address or no server is there
 */
export function findTypedAddress(snapshot: Snapshot, typed: string): Uint32Array | undefined {
  const text = typed.toLowerCase().replace(/^[a-z]+:\/\/(connect\/)?/, '')
  const parts = BRACKETED.exec(text) ?? PLAIN.exec(text)
  if (!parts && !isIPv6(text)) return undefined
  const [, host = text, port] = parts ?? []
  const address = canonicalAddress(host) ?? host
  const hash = hashText(address)
  const { addressHash, gamePort, queryPort } = snapshot.columns
  const found: number[] = []
  const end = snapshot.slotsEnd()
  for (let slot = 0; slot < end; slot++) {
    if (uint32At(addressHash, slot) !== hash || !snapshot.isTaken(slot)) continue
    if (port !== undefined && Number(port) !== gamePort[slot] && Number(port) !== queryPort[slot]) continue
    if (hasAddress(snapshot.records, slot, address)) found.push(slot)
  }
  return found.length > 0 ? Uint32Array.from(found) : undefined
}

/** Finds all addresses in one pass over the columns. A server's record is read only if hash and port match. */
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
    for (const one of fitting) if (hasAddress(snapshot.records, slot, one.address)) one.slots.push(slot)
  }
  return wanted
}
