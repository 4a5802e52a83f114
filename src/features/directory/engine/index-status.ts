// Indexes a row of `server_status`: what the last poll reported.
import type { Indexes } from './indexes.ts'
import { setMember } from './posting.ts'
import type { StatusRow } from './rows.ts'
import { wordsOfMap } from './search-words.ts'

export function indexStatus(indexes: Indexes, slot: number, row: StatusRow): void {
  const { columns, online, withFreeSlots, players, geography, versions } = indexes
  setMember(online, slot, row.isOnline)
  setMember(withFreeSlots, slot, row.isOnline && row.currentPlayers < row.maxPlayers)
  players.set(slot, row.currentPlayers)
  columns.currentBots[slot] = row.currentBots
  columns.maxPlayers[slot] = row.maxPlayers
  columns.hasPassword[slot] = row.hasPassword === null ? -1 : Number(row.hasPassword)
  columns.javaOnline[slot] = Number(row.javaOnline)
  columns.bedrockOnline[slot] = Number(row.bedrockOnline)
  columns.consecutiveFailures[slot] = row.consecutiveFailures
  columns.lastPolledAt[slot] = row.lastPolledAt ?? Number.NaN
  columns.freshUntil[slot] = row.freshUntil ?? Number.NaN
  columns.queryMs[slot] = row.queryMs ?? -1
  indexMap(indexes, slot, row.map)
  geography.setCountry(slot, row.country)
  versions.set(slot, row.version)
}

/** @param map empty: unknown */
export function indexMap({ maps, words }: Indexes, slot: number, map: string): void {
  const before = maps.set(slot, map)
  if (before !== undefined) words.set(slot, 'map', wordsOfMap(before), wordsOfMap(map))
}
