// The directory in memory: applies rows of the change feed and keeps all indexes of queries up to date.
import { splitList } from '../../../platform/text.ts'
import { COUNTRIES, continentOf } from '../countries.ts'
import { hashAddress } from './address-hash.ts'
import { type Columns, clearSlot, createColumns, growColumns } from './columns.ts'
import { addToFacet, type Facet, removeFromFacet } from './facets.ts'
import { fold } from './fold.ts'
import { monthOf } from './instants.ts'
import { createOrders, type Orders } from './orders.ts'
import { addSlot, createPosting, hasSlot, type Posting, removeSlot } from './posting.ts'
import { multiplierRange, readMultipliers } from './rates.ts'
import { createRecentlyWiped } from './recently-wiped.ts'
import { FROM, readRecord, renderRecord, type Searchable } from './records.ts'
import { createRemoved, type Removed } from './removed.ts'
import type { CountersRow, ServerRow, StatusRow, UptimeRow } from './rows.ts'
import { wordsOf, wordsOfLabels, wordsOfMap } from './search-words.ts'
import { createTextArena, type TextArena } from './text-arena.ts'
import { createTextIndex, type TextIndex } from './text-index.ts'
import { createWordIndex, type WordIndex } from './word-index.ts'

/**
 * Each server has a slot: an index into the columns, texts and postings, reused after the server left.
 * Contains only listed servers.
 */
export interface Snapshot {
  /** Increases whenever something shown may have changed. */
  version: number
  readonly totals: { players: number; votes: number }
  readonly taken: Posting
  readonly online: Posting
  readonly verified: Posting
  readonly featured: Posting
  readonly games: Facet
  readonly maps: Facet
  readonly countries: Facet
  readonly versions: Facet
  readonly regions: Facet
  readonly tags: Facet
  readonly gameModes: Facet
  readonly names: TextIndex
  /** Of all that `q` searches. */
  readonly words: WordIndex
  readonly orders: Orders
  readonly columns: Columns
  readonly records: TextArena
  /** Servers that left. */
  readonly removed: Removed
  /** By slot: what servers reported, as JSON text. */
  readonly mapJson: string[]
  readonly versionJson: string[]
  /** By slot: the region that the owner gave; empty if none. */
  readonly ownRegion: string[]
  /** @returns ISO 3166-1 alpha-2; empty if unknown */
  countryOf(slot: number): string
  /** @returns the owner's region, else the country's continent; empty if unknown */
  regionOf(slot: number): string
  /** Used slots are below this. */
  slotsEnd(): number
  slotOf(id: string): number | undefined
  /** @returns an empty string for an unused slot */
  idOf(slot: number): string
  /** Updates what depends on the time to `now` (epoch ms): the month whose votes are shown. */
  advance(now: number): void
  /** @returns servers wiped at or after this time (epoch ms) */
  wipedSince(since: number): Posting
  /** @returns true if the server is new here, so that its other rows must be read whatever their age */
  applyServer(row: ServerRow): boolean
  applyStatus(row: StatusRow): void
  applyCounters(row: CountersRow): void
  applyUptime(row: UptimeRow): void
  /** @param votes of the last 24 hours by server id; absent: none */
  setRecentVotes(votes: ReadonlyMap<string, number>): void
}

const EMPTY_TEXT = '""'
/** The id of an unused slot. */
const FREE = ''

/** @param now epoch ms; decides which month's votes are shown until `advance` is called */
export function createSnapshot(now: number): Snapshot {
  const columns = createColumns()
  const slots = new Map<string, number>()
  const ids: string[] = []
  const freeSlots: number[] = []
  let month = monthOf(now)
  const wiped = createRecentlyWiped(
    () => columns.lastWipeAt,
    () => ids.length,
  )

  const snapshot: Snapshot = {
    version: 0,
    totals: { players: 0, votes: 0 },
    taken: createPosting(),
    online: createPosting(),
    verified: createPosting(),
    featured: createPosting(),
    games: new Map(),
    maps: new Map(),
    countries: new Map(),
    versions: new Map(),
    regions: new Map(),
    tags: new Map(),
    gameModes: new Map(),
    names: createTextIndex(),
    words: createWordIndex(() => ids.length),
    orders: createOrders({
      columns,
      isOccupied: (slot) => ids[slot] !== undefined && ids[slot] !== FREE,
      idOf: (slot) => ids[slot] ?? '',
      nameOf: (slot) => snapshot.names.at(slot),
      slotsEnd: () => ids.length,
    }),
    columns,
    records: createTextArena(FROM.end),
    removed: createRemoved(),
    mapJson: [],
    versionJson: [],
    ownRegion: [],
    countryOf: (slot) => COUNTRIES[(columns.country[slot] ?? 0) - 1] ?? '',
    regionOf: (slot) => snapshot.ownRegion[slot] || continentOf(snapshot.countryOf(slot)),
    slotsEnd: () => ids.length,
    slotOf: (id) => slots.get(id),
    idOf: (slot) => ids[slot] ?? FREE,
    advance,
    wipedSince: wiped.since,
    applyServer,
    applyStatus,
    applyCounters,
    applyUptime,
    setRecentVotes,
  }
  const {
    totals,
    taken,
    online,
    verified,
    featured,
    games,
    maps,
    countries,
    versions,
    regions,
    tags,
    gameModes,
    names,
    words,
    orders,
    records,
  } = snapshot
  const { mapJson, versionJson, ownRegion, countryOf, regionOf } = snapshot

  function advance(time: number): void {
    const current = monthOf(time)
    if (current === month) return
    month = current
    for (let slot = 0; slot < ids.length; slot++) columns.monthlyVotes[slot] = votesThisMonth(slot)
    orders.changedAll('monthlyVotes')
    snapshot.version++
  }

  const votesThisMonth = (slot: number) => (columns.votesMonth[slot] === month ? (columns.votesOfMonth[slot] ?? 0) : 0)

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
      snapshot.removed.add(id, changedIn) // also a server that was never here: another process may have shown it
      if (known !== undefined) removeServer(id, known)
      return false
    }
    if (known === undefined) snapshot.removed.forget(id)
    const slot = known ?? openSlot(id)
    if (isNews(columns.serverChange, slot, changedIn)) showServer(slot, row, known !== undefined)
    return known === undefined
  }

  function openSlot(id: string): number {
    const slot = freeSlots.pop() ?? ids.length
    if (slot >= columns.capacity) growColumns(columns)
    slots.set(id, slot)
    ids[slot] = id
    mapJson[slot] = EMPTY_TEXT
    versionJson[slot] = EMPTY_TEXT
    ownRegion[slot] = ''
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
    if (before) forgetFacets(slot, before)
    showWords(slot, before, { name, tags: ownTags, mods, description })
    records.write(slot, renderRecord(row))
    addToFacet(games, game, slot)
    addToFacet(gameModes, gameMode, slot)
    ownRegion[slot] = region
    addToFacet(regions, fold(regionOf(slot)), slot)
    for (const tag of splitList(ownTags)) addToFacet(tags, fold(tag), slot)

    nameSlot(slot, fold(name))
    if (columns.createdAt[slot] !== createdAt) orders.moved(slot)
    columns.createdAt[slot] = createdAt
    columns.lastWipeAt[slot] = lastWipeAt ?? Number.NaN
    const wipeOrder = Math.floor((lastWipeAt ?? 0) / 1000)
    if (wipeOrder !== columns.wipeOrder[slot]) orders.changed('lastWipeAt', slot)
    columns.wipeOrder[slot] = wipeOrder
    mark(verified, slot, isVerified)
    mark(featured, slot, isFeatured)
    columns.addressHash[slot] = hashAddress(ipAddress)
    columns.gamePort[slot] = gamePort
    columns.queryPort[slot] = queryPort
    wiped.forget()
    const multipliers = readMultipliers(rates)
    columns.xp[slot] = multipliers.xp
    columns.taming[slot] = multipliers.taming
    columns.harvest[slot] = multipliers.harvest
    const [lowest, highest] = multiplierRange(multipliers)
    columns.lowestMultiplier[slot] = lowest
    columns.highestMultiplier[slot] = highest
  }

  function mark(posting: Posting, slot: number, isIn: boolean): void {
    if (!isIn) removeSlot(posting, slot)
    else if (!hasSlot(posting, slot)) addSlot(posting, slot)
  }

  function nameSlot(slot: number, folded: string): void {
    if (folded !== names.at(slot)) orders.changed('name', slot)
    names.set(slot, folded)
  }

  type Texts = Pick<Searchable, 'name' | 'tags' | 'mods' | 'description'>

  function showWords(slot: number, before: Texts | undefined, after: Texts | undefined): void {
    const change = (
      field: 'name' | 'labels' | 'description',
      split: (text: string) => ReadonlySet<string>,
      textOf: (texts: Texts) => string,
    ) => {
      const [old, text] = [before ? textOf(before) : '', after ? textOf(after) : '']
      if (old !== text) words.set(slot, field, split(old), split(text))
    }
    change('name', wordsOf, (texts) => texts.name)
    change('labels', wordsOfLabels, ({ tags, mods }) => `${tags},${mods}`)
    change('description', wordsOf, (texts) => texts.description)
  }

  /** @param record the one that is stored */
  function forgetFacets(slot: number, { game, gameMode, tags: ownTags }: Searchable): void {
    removeFromFacet(games, game, slot)
    removeFromFacet(gameModes, gameMode, slot)
    removeFromFacet(regions, fold(regionOf(slot)), slot)
    for (const tag of splitList(ownTags)) removeFromFacet(tags, fold(tag), slot)
  }

  function removeServer(id: string, slot: number): void {
    showCountry(slot, '')
    const record = readRecord(records.read(slot))
    forgetFacets(slot, record)
    showWords(slot, record, undefined)
    showMap(slot, EMPTY_TEXT)
    showVersion(slot, EMPTY_TEXT)
    nameSlot(slot, '')
    records.free(slot)
    removeSlot(online, slot)
    removeSlot(verified, slot)
    removeSlot(featured, slot)
    removeSlot(taken, slot)
    totals.players -= columns.currentPlayers[slot] ?? 0
    totals.votes -= columns.totalVotes[slot] ?? 0
    clearSlot(columns, slot)
    slots.delete(id)
    ids[slot] = FREE
    freeSlots.push(slot)
    orders.moved(slot)
    wiped.forget()
    snapshot.version++
  }

  function showMap(slot: number, json: string): void {
    const before = mapJson[slot] ?? EMPTY_TEXT
    if (json === before) return
    const [old, map] = [JSON.parse(before), JSON.parse(json)] as [string, string]
    removeFromFacet(maps, fold(old), slot)
    addToFacet(maps, fold(map), slot)
    words.set(slot, 'map', wordsOfMap(old), wordsOfMap(map))
    mapJson[slot] = json
  }

  function showVersion(slot: number, json: string): void {
    const before = versionJson[slot] ?? EMPTY_TEXT
    if (json === before) return
    removeFromFacet(versions, fold(JSON.parse(before)), slot)
    addToFacet(versions, fold(JSON.parse(json)), slot)
    versionJson[slot] = json
  }

  function showCountry(slot: number, country: string): void {
    const before = countryOf(slot)
    if (country === before) return
    removeFromFacet(countries, before, slot)
    columns.country[slot] = COUNTRIES.indexOf(country) + 1
    addToFacet(countries, countryOf(slot), slot)
    if (ownRegion[slot]) return
    removeFromFacet(regions, fold(continentOf(before)), slot)
    addToFacet(regions, fold(regionOf(slot)), slot)
  }

  function applyStatus(row: StatusRow): void {
    const [
      id,
      changedIn,
      isOnline,
      players,
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
    mark(online, slot, isOnline)
    const before = columns.currentPlayers[slot] ?? 0
    if (players !== before) {
      totals.players += players - before
      columns.currentPlayers[slot] = players
      orders.changed('currentPlayers', slot)
    }
    columns.maxPlayers[slot] = maxPlayers
    columns.consecutiveFailures[slot] = failures
    columns.lastPolledAt[slot] = lastPolledAt ?? Number.NaN
    columns.freshUntil[slot] = freshUntil ?? Number.NaN
    showMap(slot, JSON.stringify(map))
    columns.queryMs[slot] = queryMs ?? -1
    showCountry(slot, country)
    showVersion(slot, JSON.stringify(version))
  }

  function applyCounters(row: CountersRow): void {
    const [id, changedIn, totalVotes, monthlyVotes, votesMonth] = row
    const slot = slots.get(id)
    if (slot === undefined || !isNews(columns.countersChange, slot, changedIn)) return
    const before = columns.totalVotes[slot] ?? 0
    if (totalVotes !== before) {
      totals.votes += totalVotes - before
      columns.totalVotes[slot] = totalVotes
      orders.changed('totalVotes', slot)
    }
    columns.votesOfMonth[slot] = monthlyVotes
    columns.votesMonth[slot] = votesMonth
    const shown = votesThisMonth(slot)
    if (shown === columns.monthlyVotes[slot]) return
    columns.monthlyVotes[slot] = shown
    orders.changed('monthlyVotes', slot)
  }

  function applyUptime(row: UptimeRow): void {
    const [id, changedIn, day, week, ofMonth] = row
    const slot = slots.get(id)
    if (slot === undefined || !isNews(columns.uptimeChange, slot, changedIn)) return
    columns.uptimeDay[slot] = day ?? Number.NaN
    columns.uptimeWeek[slot] = week ?? Number.NaN
    columns.uptimeMonth[slot] = ofMonth ?? Number.NaN
    const order = ofMonth === null ? 0 : realBits(ofMonth) + 1
    if (order === columns.uptimeOrder[slot]) return
    columns.uptimeOrder[slot] = order
    orders.changed('uptime', slot)
  }

  function setRecentVotes(votes: ReadonlyMap<string, number>): void {
    for (let slot = 0; slot < ids.length; slot++) {
      const count = votes.get(ids[slot] ?? FREE) ?? 0
      if (count === columns.recentVotes[slot]) continue
      columns.recentVotes[slot] = count
      orders.changed('recentVotes', slot)
      snapshot.version++
    }
  }

  return snapshot
}

const real = new Float32Array(1)
const bitsOfReal = new Int32Array(real.buffer)

/** The bits of a PostgreSQL `real`, which sort like the numbers unless these are negative. */
function realBits(value: number): number {
  real[0] = value
  return bitsOfReal[0] ?? 0
}
