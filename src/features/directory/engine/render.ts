// Renders replies straight to bytes: copies a server's fixed parts from its record and writes the changing fields in
// between.
import { MAX_PAGE_BYTES } from '../../../platform/http/paging.ts'
import type { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { bannerImageUrl } from '../../faces/index.ts'
import type { FacetCounts } from './facet-counts.ts'
import { isRendered, LIVE, type ListField, type PageContext, RENDERED, type RenderedField } from './fields.ts'
import { writeListCursor } from './list-cursor.ts'
import { placesInMonth } from './month-places.ts'
import type { DirectoryQuery } from './plan.ts'
import type { Found } from './query.ts'
import { partOf, RANGES } from './records.ts'
import { createReplyBuffer } from './reply-buffer.ts'
import type { Snapshot } from './snapshot.ts'
import type { PartRange } from './text-arena.ts'

/** The fields of an item: those of `/public/servers`, those of `/servers`, or selected ones in the order of replies. */
export type ItemFields = 'public' | 'full' | readonly ListField[]

const reply = createReplyBuffer()

const writeRecord = ({ records }: Snapshot, slot: number, range: PartRange): void =>
  reply.writeParts(records, slot, range)

/** Calls `writeOne` for each slot, and writes commas in between. */
function writeEach(slots: Iterable<number>, writeOne: (slot: number) => void): void {
  let isFirst = true
  for (const slot of slots) {
    if (!isFirst) reply.write(',')
    isFirst = false
    writeOne(slot)
  }
}

/** @param now epoch ms: decides `isStale` */
export function renderList(
  snapshot: Snapshot,
  found: Found,
  query: DirectoryQuery,
  fields: ItemFields,
  now: number,
): RenderedJson {
  const context = contextOf(snapshot, found.slots, query, fields)
  writeList(snapshot, found.slots, fields, { now, context }, writeRecord)
  // A page can't have fewer servers than its limit says, so its descriptions are shortened (docs/decisions/0014).
  if (reply.position() > MAX_PAGE_BYTES) writeList(snapshot, found.slots, fields, { now, context }, writeShortened)
  const { total } = found
  const { page, limit } = query
  const totalPages = Math.ceil(total / limit)
  reply.write(`],"pagination":{"page":${page ?? null},"limit":${limit},"total":${total},"totalPages":${totalPages}}`)
  const nextCursor = fields !== 'public' && found.next ? writeListCursor(query, found.next) : null
  if (fields !== 'public') {
    const ignoredWords = JSON.stringify(found.ignoredWords ?? [])
    reply.write(`,"nextCursor":${JSON.stringify(nextCursor)},"ignoredWords":${ignoredWords}`)
  }
  reply.write('}')
  return reply.finish(page === undefined ? { nextCursor } : { page, totalPages })
}

/** Counts places among the servers of the query's game if it names exactly one, else among all servers. */
function contextOf(
  snapshot: Snapshot,
  slots: Iterable<number>,
  { game }: DirectoryQuery,
  fields: ItemFields,
): PageContext {
  const isAsked = typeof fields !== 'string' && fields.includes('standing')
  const only = game?.length === 1 ? game[0] : undefined
  return { placeOf: isAsked ? placesInMonth(snapshot, slots, only) : () => null, game: only }
}

function writeList(
  snapshot: Snapshot,
  slots: Iterable<number>,
  fields: ItemFields,
  { now, context }: { now: number; context: PageContext },
  writeFixed: typeof writeRecord,
): void {
  const positionOf = snapshot.orders.positions('totalVotes', 'desc')
  const selection = typeof fields === 'string' ? undefined : selectionOf(fields)
  reply.begin()
  reply.write('{"servers":[')
  writeEach(slots, (slot) => {
    if (selection) writeSelected(snapshot, slot, selection, { now, context }, writeFixed)
    else if (fields === 'public') {
      writeFixed(snapshot, slot, RANGES.publicList)
      reply.write(`${liveFields(snapshot, slot)}}`)
    } else {
      writeFixed(snapshot, slot, RANGES.list)
      const ranked = `,"rank":${positionOf(slot) + 1},"score":${LIVE.score(snapshot, slot, now)}`
      reply.write(`${liveFields(snapshot, slot)}${fullFields(snapshot, slot, now)}${ranked}}`)
    }
  })
}

/**
 * The selected fields in the order they are written: ranges of neighbouring record fields, then the rendered fields.
 */
interface Selection {
  ranges: readonly PartRange[]
  rendered: readonly RenderedField[]
}

/** @param fields in the order of replies: the fields of the record first */
function selectionOf(fields: readonly ListField[]): Selection {
  const ranges: PartRange[] = []
  const rendered: RenderedField[] = []
  for (const field of fields) {
    if (isRendered(field)) {
      rendered.push(field)
      continue
    }
    const part = partOf(field)
    const last = ranges.at(-1)
    if (last?.to === part) last.to++
    else ranges.push({ from: part, to: part + 1 })
  }
  return { ranges, rendered }
}

function writeSelected(
  snapshot: Snapshot,
  slot: number,
  { ranges, rendered }: Selection,
  { now, context }: { now: number; context: PageContext },
  writeFixed: typeof writeRecord,
): void {
  const start = reply.position()
  for (const range of ranges) writeFixed(snapshot, slot, range)
  let text = ''
  for (const field of rendered) text += `,"${field}":${RENDERED[field](snapshot, slot, now, context)}`
  reply.write(`${text}}`)
  reply.replaceAt(start, '{') // instead of the comma that all parts but the first of a record begin with
}

/**
 * Maximum length of descriptions on pages above `MAX_PAGE_BYTES`: with it, 100 of the largest listings take 0.95 MB.
 */
export const SHORTENED_DESCRIPTION = 500

/** Like `writeRecord`, with a shortened description. */
function writeShortened(snapshot: Snapshot, slot: number, { from, to }: PartRange): void {
  const part = partOf('description')
  if (part < from || part >= to) {
    writeRecord(snapshot, slot, { from, to })
    return
  }
  writeRecord(snapshot, slot, { from, to: part })
  const start = reply.position()
  writeRecord(snapshot, slot, { from: part, to: part + 1 })
  const withoutComma = reply.textFrom(start + 1)
  const { description } = JSON.parse(`{${withoutComma}}`) as { description: string }
  const characters = [...description]
  if (characters.length > SHORTENED_DESCRIPTION) {
    reply.cutTo(start)
    reply.write(`,"description":${JSON.stringify(`${characters.slice(0, SHORTENED_DESCRIPTION - 1).join('')}…`)}`)
  }
  writeRecord(snapshot, slot, { from: part + 1, to })
}

/**
 * A page of the change feed. Its items have no rank and no score, which change with the votes of other
 * servers and with the time.
 */
export function renderChanges(
  snapshot: Snapshot,
  changes: { slots: readonly number[]; removed: readonly string[]; hasMore: boolean },
  cursor: string,
  now: number,
): RenderedJson {
  reply.begin()
  writeItems(snapshot, changes.slots, now)
  reply.write(`,"removed":${JSON.stringify(changes.removed)},"cursor":"${cursor}","hasMore":${changes.hasMore}}`)
  return reply.finish()
}

export function renderLookup(
  snapshot: Snapshot,
  found: { slots: readonly number[]; missing: readonly string[]; remaining: readonly string[] },
  now: number,
): RenderedJson {
  reply.begin()
  writeItems(snapshot, found.slots, now)
  reply.write(`,"missing":${JSON.stringify(found.missing)},"remaining":${JSON.stringify(found.remaining)}}`)
  return reply.finish()
}

/** A server as an event of the live stream. */
export function renderServerEvent(snapshot: Snapshot, slot: number, cursor: string, now: number): Buffer {
  reply.begin()
  reply.write(`id: ${cursor}\nevent: server\ndata: `)
  writeItem(snapshot, slot, now)
  reply.write('\n\n')
  return reply.copy()
}

function writeItems(snapshot: Snapshot, slots: readonly number[], now: number): void {
  reply.write('{"servers":[')
  writeEach(slots, (slot) => writeItem(snapshot, slot, now))
  reply.write(']')
}

function writeItem(snapshot: Snapshot, slot: number, now: number): void {
  writeRecord(snapshot, slot, RANGES.list)
  reply.write(`${liveFields(snapshot, slot)}${fullFields(snapshot, slot, now)}}`)
}

/** The reply of `getPublicServer`. */
export function renderPublicDetail(snapshot: Snapshot, slot: number): RenderedJson {
  reply.begin()
  writeRecord(snapshot, slot, RANGES.publicList)
  writeRecord(snapshot, slot, RANGES.publicDetail)
  reply.write(`${liveFields(snapshot, slot)},"version":${snapshot.versions.jsonOf(slot)}}`)
  return reply.finish()
}

/** The reply of `getServer`: all fields, and the results of polls. */
export function renderDetail(snapshot: Snapshot, slot: number, now: number): RenderedJson {
  reply.begin()
  writeDetail(snapshot, slot, now)
  reply.write('}')
  return reply.finish()
}

/** @param peakOf returns a slot's highest player count of the last 24 hours */
export function renderComparison(
  snapshot: Snapshot,
  slots: readonly number[],
  peakOf: (slot: number) => number | null,
  now: number,
): RenderedJson {
  reply.begin()
  reply.write('{"servers":[')
  writeEach(slots, (slot) => {
    writeDetail(snapshot, slot, now)
    reply.write(`,"peak24h":${peakOf(slot)}}`)
  })
  reply.write(']}')
  return reply.finish()
}

/** Writes all fields of a server, without the closing brace. */
function writeDetail(snapshot: Snapshot, slot: number, now: number): void {
  const { columns, versions } = snapshot
  writeRecord(snapshot, slot, RANGES.detail)
  reply.write(
    `${liveFields(snapshot, slot)}${fullFields(snapshot, slot, now)},"rank":${LIVE.rank(snapshot, slot)},"score":${LIVE.score(snapshot, slot, now)},"version":${versions.jsonOf(slot)},` +
      `"editions":${editionsOf(snapshot, slot)},"bannerImageUrl":${bannerImageUrlOf(snapshot, slot)},"consecutiveFailures":${columns.consecutiveFailures[slot]},"uptime":{"day":${share(columns.uptimeDay[slot])},` +
      `"week":${share(columns.uptimeWeek[slot])},"month":${share(columns.uptimeMonth[slot])}}`,
  )
}

function editionsOf({ editions, columns }: Snapshot, slot: number): string {
  const addresses = editions.get(slot)
  if (!addresses) return 'null'
  return JSON.stringify({
    java: { connectAddress: addresses.java, isOnline: columns.javaOnline[slot] === 1 },
    bedrock: { connectAddress: addresses.bedrock, isOnline: columns.bedrockOnline[slot] === 1 },
  })
}

const bannerImageUrlOf = ({ banners, baseUrl }: Snapshot, slot: number): string =>
  JSON.stringify(bannerImageUrl(banners.get(slot) ?? null, baseUrl))

/** The reply of `countServers`. */
export function renderFacets(counts: FacetCounts): RenderedJson {
  reply.begin()
  reply.write(JSON.stringify(counts))
  return reply.finish()
}

/** The platform's totals, over listed servers. */
export function renderStats({ taken, online, totals }: Snapshot): RenderedJson {
  const { players, votes } = totals()
  reply.begin()
  reply.write(
    `{"totalServers":${taken.size},"onlineServers":${online.size},` +
      `"totalPlayers":${players},"totalVotes":${votes}}`,
  )
  return reply.finish()
}

const liveFields = (snapshot: Snapshot, slot: number): string =>
  `,"currentPlayers":${LIVE.currentPlayers(snapshot, slot)},"maxPlayers":${LIVE.maxPlayers(snapshot, slot)},` +
  `"isOnline":${LIVE.isOnline(snapshot, slot)},"map":${LIVE.map(snapshot, slot)},` +
  `"totalVotes":${LIVE.totalVotes(snapshot, slot)}`

const fullFields = (snapshot: Snapshot, slot: number, now: number): string =>
  `,"monthlyVotes":${LIVE.monthlyVotes(snapshot, slot)},"lastPolledAt":${LIVE.lastPolledAt(snapshot, slot)},` +
  `"isStale":${LIVE.isStale(snapshot, slot, now)},"queryMs":${LIVE.queryMs(snapshot, slot)},"country":${LIVE.country(snapshot, slot)},` +
  `"region":${LIVE.region(snapshot, slot)},"isRegionDerived":${LIVE.isRegionDerived(snapshot, slot)},` +
  `"currentBots":${LIVE.currentBots(snapshot, slot)},"hasPassword":${LIVE.hasPassword(snapshot, slot)}`

const share = (value = Number.NaN) => (Number.isNaN(value) ? 'null' : String(value))
