// The directory in memory: applies rows of the change feed and keeps all indexes of queries up to date.

import { fold } from '../../../platform/fold-text.ts'
import { hashText } from '../../../platform/hash-text.ts'
import { splitList } from '../../../platform/text.ts'
import { clearSlot, createColumns, growColumns, setUptimes } from './columns.ts'
import { addToFacet, type Facet, removeFromFacet } from './facets.ts'
import { createGeography } from './geography.ts'
import { createIds } from './ids.ts'
import { createOrders } from './orders.ts'
import { createPlayerHours } from './player-hours.ts'
import { addSlot, createPosting, removeSlot, setMember } from './posting.ts'
import { setMultipliers } from './rates.ts'
import { createRecentlyWiped } from './recently-wiped.ts'
import { FROM, readRecord, renderRecord, type Searchable } from './records.ts'
import { createRemoved } from './removed.ts'
import { createReported } from './reported.ts'
import type { CountersRow, ServerRow, StatusRow, UptimeRow } from './rows.ts'
import { wordsOfMap } from './search-words.ts'
import { createTextArena } from './text-arena.ts'
import { createTextIndex } from './text-index.ts'
import { createVoteCounts } from './vote-counts.ts'
import { createWordIndex, replaceTexts } from './word-index.ts'

export type Snapshot = ReturnType<typeof createSnapshot>

/**
 * Each server has a slot: an index into the columns, texts and postings, reused after the server left.
 * Contains only listed servers.
 * @param now epoch ms; decides which month's votes are shown until `advance` is called
 */
export function createSnapshot(now: number) {
  const ids = createIds()
  const slotsEnd = ids.end

  let players = 0
  const columns = createColumns()
  const names = createTextIndex()
  const wiped = createRecentlyWiped(() => columns.lastWipeAt, slotsEnd)
  const orders = createOrders({ columns, ids, nameOf: names.at })
  const votes = createVoteCounts(columns, orders, now)

  const snapshot = {
    /** Increases whenever something shown may have changed. */
    version: 0,
    taken: createPosting(),
    online: createPosting(),
    verified: createPosting(),
    featured: createPosting(),
    games: new Map() as Facet,
    tags: new Map() as Facet,
    gameModes: new Map() as Facet,
    geography: createGeography(),
    maps: createReported(),
    versions: createReported(),
    names,
    /** Of all that `q` searches. */
    words: createWordIndex(slotsEnd),
    orders,
    columns,
    records: createTextArena(FROM.end),
    playerHours: createPlayerHours(slotsEnd),
    /** Servers that left. */
    removed: createRemoved(),
    /** Players and votes of all servers. */
    totals: () => ({ players, votes: votes.total }),
    /** Used slots are below this. */
    slotsEnd,
    slotOf: ids.slotOf,
    isTaken: ids.isTaken,
    /** @returns an empty string for an unused slot */
    idOf: ids.idOf,
    /** Updates what depends on the time to `time` (epoch ms): the month whose votes are shown. */
    advance(time: number): void {
      if (votes.advance(time)) snapshot.version++
    },
    /** @returns servers wiped at or after this time (epoch ms) */
    wipedSince: wiped.since,
    applyServer,
    applyStatus,
    applyCounters,
    applyUptime,
    /** @param recent votes of the last 24 hours by server id; absent: none */
    setRecentVotes(recent: ReadonlyMap<string, number>): void {
      const bySlot = new Map(Array.from(recent, ([id, count]) => [ids.slotOf(id), count]))
      if (votes.setRecent((slot) => bySlot.get(slot) ?? 0, slotsEnd())) snapshot.version++
    },
  }
  const { taken, online, verified, featured, games, tags, gameModes } = snapshot
  const { geography, maps, versions, words, records, playerHours, removed } = snapshot

  /** Whether the row is newer than what the slot shows; remembers that it is now shown. */
  function isNews(applied: Float64Array, slot: number, changedIn: number): boolean {
    // Equal numbers mean the same row: all that one transaction wrote becomes visible at once.
    if (changedIn !== 0 && applied[slot] === changedIn) return false
    applied[slot] = changedIn
    snapshot.version++
    return true
  }

  /** @returns whether the server is new here, so that its other rows must be read whatever their age */
  function applyServer(row: ServerRow): boolean {
    const [id, changedIn, listed] = row
    const known = ids.slotOf(id)
    if (!listed) {
      removed.add(id, changedIn) // also a server that was never here: another process may have shown it
      if (known !== undefined) removeServer(known)
      return false
    }
    if (known === undefined) removed.forget(id)
    const slot = known ?? openSlot(id)
    if (isNews(columns.serverChange, slot, changedIn)) showServer(slot, row, known !== undefined)
    return known === undefined
  }

  function openSlot(id: string): number {
    const slot = ids.add(id)
    if (slot >= columns.capacity) growColumns(columns)
    addSlot(taken, slot)
    orders.moved(slot)
    return slot
  }

  function showServer(slot: number, row: ServerRow, isEdit: boolean): void {
    const [
      ,
      ,
      ,
      name,
      description,
      ipAddress,
      gamePort,
      queryPort,
      gameMode,
      region,
      ownTags,
      ,
      ,
      ,
      rates,
      mods,
      isVerified,
      isFeatured,
      lastWipeAt,
      createdAt,
      ,
      game,
    ] = row
    const before = isEdit ? readRecord(records.read(slot)) : undefined
    const texts = { game, gameMode, name, description, tags: ownTags, mods }
    if (before) inFacets(removeFromFacet, slot, before)
    inFacets(addToFacet, slot, texts)
    replaceTexts(words, slot, before, texts)
    records.write(slot, renderRecord(row))
    geography.setRegion(slot, region)
    nameSlot(slot, fold(name))
    if (columns.createdAt[slot] !== createdAt) orders.moved(slot)
    columns.createdAt[slot] = createdAt
    columns.lastWipeAt[slot] = lastWipeAt ?? Number.NaN
    const wipeOrder = Math.floor((lastWipeAt ?? 0) / 1000)
    if (wipeOrder !== columns.wipeOrder[slot]) orders.changed('lastWipeAt', slot)
    columns.wipeOrder[slot] = wipeOrder
    setMember(verified, slot, isVerified)
    setMember(featured, slot, isFeatured)
    columns.addressHash[slot] = hashText(ipAddress)
    columns.gamePort[slot] = gamePort
    columns.queryPort[slot] = queryPort
    wiped.forget()
    setMultipliers(columns, slot, rates)
  }

  function nameSlot(slot: number, folded: string): void {
    if (folded !== names.at(slot)) orders.changed('name', slot)
    names.set(slot, folded)
  }

  function inFacets(change: typeof addToFacet, slot: number, texts: Searchable): void {
    change(games, texts.game, slot)
    change(gameModes, texts.gameMode, slot)
    for (const tag of splitList(texts.tags)) change(tags, fold(tag), slot)
  }

  function removeServer(slot: number): void {
    geography.clear(slot)
    const record = readRecord(records.read(slot))
    inFacets(removeFromFacet, slot, record)
    replaceTexts(words, slot, record, undefined)
    showMap(slot, '')
    versions.set(slot, '')
    nameSlot(slot, '')
    records.free(slot)
    removeSlot(online, slot)
    removeSlot(verified, slot)
    removeSlot(featured, slot)
    removeSlot(taken, slot)
    players -= columns.currentPlayers[slot] ?? 0
    votes.clear(slot)
    playerHours.clear(slot)
    clearSlot(columns, slot)
    ids.remove(slot)
    orders.moved(slot)
    wiped.forget()
    snapshot.version++
  }

  function showMap(slot: number, map: string): void {
    const before = maps.set(slot, map)
    if (before !== undefined) words.set(slot, 'map', wordsOfMap(before), wordsOfMap(map))
  }

  function applyStatus(row: StatusRow): void {
    const [
      id,
      changedIn,
      isOnline,
      currentPlayers,
      maxPlayers,
      map,
      version,
      failures,
      lastPolledAt,
      freshUntil,
      country,
      queryMs,
    ] = row
    const slot = ids.slotOf(id)
    if (slot === undefined || !isNews(columns.statusChange, slot, changedIn)) return
    setMember(online, slot, isOnline)
    const before = columns.currentPlayers[slot] ?? 0
    if (currentPlayers !== before) {
      players += currentPlayers - before
      columns.currentPlayers[slot] = currentPlayers
      orders.changed('currentPlayers', slot)
    }
    columns.maxPlayers[slot] = maxPlayers
    columns.consecutiveFailures[slot] = failures
    columns.lastPolledAt[slot] = lastPolledAt ?? Number.NaN
    columns.freshUntil[slot] = freshUntil ?? Number.NaN
    showMap(slot, map)
    columns.queryMs[slot] = queryMs ?? -1
    geography.setCountry(slot, country)
    versions.set(slot, version)
  }

  function applyCounters([id, changedIn, ...counts]: CountersRow): void {
    const slot = ids.slotOf(id)
    if (slot !== undefined && isNews(columns.countersChange, slot, changedIn)) votes.set(slot, ...counts)
  }

  function applyUptime([id, changedIn, ...shares]: UptimeRow): void {
    const slot = ids.slotOf(id)
    if (slot === undefined || !isNews(columns.uptimeChange, slot, changedIn)) return
    if (setUptimes(columns, slot, ...shares)) orders.changed('uptime', slot)
  }

  return snapshot
}
