// Finds servers by id or address, many at once: `address:port`, where the port is the game's or the query's.
import { hashAddress } from './address-hash.ts'
import type { Snapshot } from './snapshot.ts'

export interface LookedUp {
  /** Each once: in the order asked for. */
  slots: number[]
  /** What was asked for and is not listed, as it was asked for. */
  missing: string[]
}

interface Wanted {
  asked: string
  address: string
  port: number
  slots: number[]
}

export function lookUp(snapshot: Snapshot, ids: readonly string[], addresses: readonly string[]): LookedUp {
  const slots = new Set<number>()
  const missing = new Set<string>()
  for (const id of ids) {
    const slot = snapshot.slotOf(id.toLowerCase())
    if (slot === undefined) missing.add(id)
    else slots.add(slot)
  }
  const wanted = addresses.map((asked): Wanted => {
    const colon = asked.lastIndexOf(':')
    return { asked, address: asked.slice(0, colon).toLowerCase(), port: Number(asked.slice(colon + 1)), slots: [] }
  })
  if (wanted.length) findAddresses(snapshot, wanted)
  for (const { asked, slots: found } of wanted) {
    if (found.length === 0) missing.add(asked)
    for (const slot of found) slots.add(slot)
  }
  return { slots: [...slots], missing: [...missing] }
}

/** One walk through the columns for all of them; a server's record is read only where hash and port fit. */
function findAddresses(snapshot: Snapshot, wanted: Wanted[]): void {
  const { addressHash, gamePort, queryPort } = snapshot.columns
  const byHash = Map.groupBy(wanted, ({ address }) => hashAddress(address))
  // Most servers are none of those: 16 bits of the hash say so, at a tenth of a look into the map.
  const mayFit = new Uint8Array(1 << 16)
  for (const hash of byHash.keys()) mayFit[hash & 0xffff] = 1
  const end = snapshot.slotsEnd()
  for (let slot = 0; slot < end; slot++) {
    const hash = addressHash[slot] ?? 0
    if (mayFit[hash & 0xffff] === 0) continue
    const sameHash = byHash.get(hash)
    if (!sameHash || snapshot.idOf(slot) === '') continue
    const fitting = sameHash.filter(({ port }) => port === gamePort[slot] || port === queryPort[slot])
    if (!fitting.length) continue
    const { ipAddress } = JSON.parse(`${snapshot.records.read(slot)}}`) as { ipAddress: string }
    for (const one of fitting) if (one.address === ipAddress) one.slots.push(slot)
  }
}
