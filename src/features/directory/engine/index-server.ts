// Indexes a row of `servers`: adds a server, removes one, and updates what its owner wrote.
import { fold } from '../../../platform/fold-text.ts'
import { hashText } from '../../../platform/hash-text.ts'
import { splitList } from '../../../platform/text.ts'
import { editionAddresses, listingFields } from '../../servers/index.ts'
import { clearSlot, growColumns } from './columns.ts'
import { addToFacet, removeFromSets } from './facets.ts'
import { indexMap } from './index-status.ts'
import type { Indexes } from './indexes.ts'
import { addSlot, removeSlot, setMember } from './posting.ts'
import { replaceRates } from './rates.ts'
import { readRecord, renderRecord, type Searchable, withProfile } from './records.ts'
import type { ServerRow } from './rows.ts'
import { replaceTexts } from './word-index.ts'

/** Gives a server that is new in the snapshot a slot. @returns the slot */
export function openSlot(indexes: Indexes, id: string): number {
  const { ids, columns, taken, orders, playerHours, previousPlaces } = indexes
  const slot = ids.add(id)
  if (slot >= columns.capacity) growColumns(columns)
  addSlot(taken, slot)
  orders.moved(slot)
  playerHours.add(slot)
  previousPlaces.add(id, slot)
  return slot
}

/** @param isEdit whether an earlier row of the server is indexed */
export function indexServer(indexes: Indexes, slot: number, row: ServerRow, isEdit: boolean): void {
  const { records, columns, geography, verified, featured, banners, baseUrl } = indexes
  const shown = withProfile(row)
  removeEditions(indexes, slot)
  indexTexts(indexes, slot, isEdit ? readRecord(records, slot) : undefined, shown)
  indexEditions(indexes, slot, row)
  records.write(slot, renderRecord(shown, baseUrl))
  indexName(indexes, slot, fold(row.name))
  indexTimes(indexes, slot, row)
  geography.setRegion(slot, row.region)
  if (row.bannerHash === null) banners.delete(slot)
  else banners.set(slot, row.bannerHash)
  setMember(verified, slot, row.isVerified)
  setMember(featured, slot, row.isFeatured)
  columns.addressHash[slot] = hashText(row.ipAddress)
  columns.gamePort[slot] = row.gamePort
  columns.queryPort[slot] = row.queryPort
}

/** Removes the server from everything, and frees its slot. */
export function removeServer(indexes: Indexes, slot: number): void {
  const { ids, columns, orders, records, geography, versions, wiped, players, votes } = indexes
  const { taken, online, withFreeSlots, verified, featured, banners, playerHours, previousPlaces } = indexes
  geography.clear(slot)
  removeEditions(indexes, slot)
  banners.delete(slot)
  indexTexts(indexes, slot, readRecord(records, slot), undefined)
  indexMap(indexes, slot, '')
  versions.set(slot, '')
  indexName(indexes, slot, '')
  records.free(slot)
  for (const set of [online, withFreeSlots, verified, featured, taken]) removeSlot(set, slot)
  players.clear(slot)
  votes.clear(slot)
  playerHours.clear(slot)
  previousPlaces.remove(ids.idOf(slot), slot)
  clearSlot(columns, slot)
  ids.remove(slot)
  orders.moved(slot)
  wiped.forget()
}

/**
 * Removes the server from the facets and words of its texts before, and adds it to those after; undefined: no texts.
 */
function indexTexts(
  indexes: Indexes,
  slot: number,
  before: Searchable | undefined,
  after: Searchable | undefined,
): void {
  if (before) inFacets(indexes, removeFromSets, slot, before)
  if (after) inFacets(indexes, addToFacet, slot, after)
  replaceRates(indexes.multipliers, slot, before?.rates ?? '', after?.rates ?? '')
  replaceTexts(indexes.words, slot, before, after)
}

function inFacets(
  { games, gameModes, claims, tags }: Indexes,
  change: typeof addToFacet,
  slot: number,
  texts: Searchable,
): void {
  change(games, texts.game, slot)
  change(gameModes, texts.gameMode, slot)
  change(claims, String(texts.isClaimed), slot)
  for (const tag of splitList(texts.tags)) change(tags, fold(tag), slot)
}

/** A server of both editions is also found as a Bedrock server. */
function indexEditions({ editions, games }: Indexes, slot: number, row: ServerRow): void {
  const addresses = editionAddresses(row)
  if (!addresses) return
  editions.set(slot, addresses)
  addToFacet(games, listingFields.BEDROCK.game, slot)
}

function removeEditions({ editions, games }: Indexes, slot: number): void {
  if (editions.delete(slot)) removeFromSets(games, listingFields.BEDROCK.game, slot)
}

function indexName({ names, orders }: Indexes, slot: number, folded: string): void {
  if (folded !== names.at(slot)) orders.changed('name', slot)
  names.set(slot, folded)
}

function indexTimes({ columns, orders, wiped }: Indexes, slot: number, server: ServerRow): void {
  const { createdAt, lastWipeAt, nextWipeAt } = server
  if (columns.createdAt[slot] !== createdAt) orders.moved(slot)
  columns.createdAt[slot] = createdAt
  columns.lastWipeAt[slot] = lastWipeAt ?? Number.NaN
  const wipeOrder = Math.floor((lastWipeAt ?? 0) / 1000)
  if (wipeOrder !== columns.wipeOrder[slot]) orders.changed('lastWipeAt', slot)
  columns.wipeOrder[slot] = wipeOrder
  wiped.forget()
  columns.nextWipeAt[slot] = nextWipeAt ?? Number.NaN
  const nextWipeOrder = Math.floor((nextWipeAt ?? 0) / 1000)
  if (nextWipeOrder !== columns.nextWipeOrder[slot]) orders.changed('nextWipeAt', slot)
  columns.nextWipeOrder[slot] = nextWipeOrder
}
