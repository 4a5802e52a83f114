// The directory in memory: applies rows of the change feed and keeps all indexes of queries up to date.
import { hashText } from '../../../platform/hash-text.ts'
import { splitList } from '../../../platform/text.ts'
import { type Columns, clearSlot, createColumns, growColumns } from './columns.ts'
import { addToFacet, type Facet, removeFromFacet } from './facets.ts'
import { fold } from './fold.ts'
import { createGeography, type Geography } from './geography.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPlayerHours, type PlayerHours } from './player-hours.ts'
import { addSlot, createPosting, type Posting, removeSlot, setMember } from './posting.ts'
import { setMultipliers } from './rates.ts'
import { createRecentlyWiped } from './recently-wiped.ts'
import { FROM, readRecord, renderRecord, type Searchable } from './records.ts'
import { createRemoved, type Removed } from './removed.ts'
import { createReported, type Reported } from './reported.ts'
import type { CountersRow, ServerRow, StatusRow, UptimeRow } from './rows.ts'
import { wordsOfMap } from './search-words.ts'
import { createTextArena, type TextArena } from './text-arena.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'
import { setUptimes } from './uptimes.ts'
import { createVoteCounts } from './vote-counts.ts'
import { createWordIndex, replaceTexts, type WordIndex } from './word-index.ts'

/**
 * Each server has a slot: an index into the columns, texts and postings, reused after the server left.
 * Contains only listed servers.
 */
export interface Snapshot {
  /** Increases whenever something shown may have changed. */
  version: number
  /** Players and votes of all servers. */
  totals(): { players: number; votes: number }
  readonly taken: Posting
  readonly online: Posting
  readonly verified: Posting
  readonly featured: Posting
  readonly games: Facet
  readonly tags: Facet
  readonly gameModes: Facet
  readonly geography: Geography
  readonly maps: Reported
  readonly versions: Reported
  readonly names: TextIndex
  /** Of all that `q` searches. */
  readonly words: WordIndex
  readonly orders: Orders
  readonly columns: Columns
  readonly records: TextArena
  readonly playerHours: PlayerHours
  /** Servers that left. */
  readonly removed: Removed
  /** Used slots are below this. */
  slotsEnd(): number
  slotOf(id: string): number | undefined
  /** @returns an empty string for an unused slot */
  idOf(slot: number): string
  /** Updates what depends on the time to `now` (epoch ms): the month whose votes are shown. */
  advance(now: number): void
  /** @returns servers wiped at or after this time (epoch ms) */
  wipedSince(since: number): Posting
  /** @returns whether the server is new here, so that its other rows must be read whatever their age */
  applyServer(row: ServerRow): boolean
  applyStatus(row: StatusRow): void
  applyCounters(row: CountersRow): void
  applyUptime(row: UptimeRow): void
  /** @param votes of the last 24 hours by server id; absent: none */
  setRecentVotes(votes: ReadonlyMap<string, number>): void
}

/** The id of an unused slot. */
const FREE = ''

/** @param now epoch ms; decides which month's votes are shown until `advance` is called */
export function createSnapshot(now: number): Snapshot {
  const columns = createColumns()
  const slots = new Map<string, number>()
  const ids: string[] = []
  const freeSlots: number[] = []
  const slotsEnd = () => ids.length
  const idOf = (slot: number) => ids[slot] ?? FREE

  let players = 0
  const taken = createPosting()
  const online = createPosting()
  const verified = createPosting()
  const featured = createPosting()
  const games: Facet = new Map()
  const tags: Facet = new Map()
  const gameModes: Facet = new Map()
  const geography = createGeography()
  const maps = createReported()
  const versions = createReported()
  const names = createTextIndex()
  const words = createWordIndex(slotsEnd)
  const records = createTextArena(FROM.end)
  const playerHours = createPlayerHours(slotsEnd)
  const removed = createRemoved()
  const wiped = createRecentlyWiped(() => columns.lastWipeAt, slotsEnd)
  const orders = createOrders({ columns, isTaken: (slot) => idOf(slot) !== FREE, idOf, nameOf: names.at, slotsEnd })
  const votes = createVoteCounts(columns, orders, now)

  const snapshot: Snapshot = {
    version: 0,
    totals: () => ({ players, votes: votes.total }),
    taken,
    online,
    verified,
    featured,
    games,
    tags,
    gameModes,
    geography,
    maps,
    versions,
    names,
    words,
    orders,
    columns,
    records,
    playerHours,
    removed,
    slotsEnd,
    slotOf: (id) => slots.get(id),
    idOf,
    advance(time) {
      if (votes.advance(time)) snapshot.version++
    },
    wipedSince: wiped.since,
    applyServer,
    applyStatus,
    applyCounters,
    applyUptime,
    setRecentVotes(recent) {
      if (votes.setRecent((slot) => recent.get(idOf(slot)) ?? 0, slotsEnd())) snapshot.version++
    },
  }

  /** Whether the row is newer than what the slot shows; remembers that it is now shown. */
  function isNews(applied: Float64Array, slot: number, changedIn: number): boolean {
    // Equal numbers mean the same row: all that one transaction wrote becomes visible at once.
    if (changedIn !== 0 && applied[slot] === changedIn) return false
    applied[slot] = changedIn
    snapshot.version++
    return true
  }

  function applyServer(row: ServerRow): boolean {
    const [id, changedIn, listed] = row
    const known = slots.get(id)
    if (!listed) {
      removed.add(id, changedIn) // also a server that was never here: another process may have shown it
      if (known !== undefined) removeServer(id, known)
      return false
    }
    if (known === undefined) removed.forget(id)
    const slot = known ?? openSlot(id)
    if (isNews(columns.serverChange, slot, changedIn)) showServer(slot, row, known !== undefined)
    return known === undefined
  }

  function openSlot(id: string): number {
    const slot = freeSlots.pop() ?? ids.length
    if (slot >= columns.capacity) growColumns(columns)
    slots.set(id, slot)
    ids[slot] = id
    columns.idBits[slot] = Number.parseInt(id.slice(-8), 16)
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

  function removeServer(id: string, slot: number): void {
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
    slots.delete(id)
    ids[slot] = FREE
    freeSlots.push(slot)
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
    const slot = slots.get(id)
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
    const slot = slots.get(id)
    if (slot !== undefined && isNews(columns.countersChange, slot, changedIn)) votes.set(slot, ...counts)
  }

  function applyUptime([id, changedIn, day, week, month]: UptimeRow): void {
    const slot = slots.get(id)
    if (slot === undefined || !isNews(columns.uptimeChange, slot, changedIn)) return
    if (setUptimes(columns, slot, { day, week, month })) orders.changed('uptime', slot)
  }

  return snapshot
}
