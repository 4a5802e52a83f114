// Renders replies straight to bytes: copies a server's fixed parts from its record and writes the changing fields in
// between.
import { hash } from 'node:crypto'
import { MAX_PAGE_BYTES, type PagePosition } from '../../../platform/http/paging.ts'
import { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import type { FacetCounts } from './facet-counts.ts'
import { writeListCursor } from './list-cursor.ts'
import type { DirectoryQuery } from './plan.ts'
import { hasSlot } from './posting.ts'
import type { Found } from './query.ts'
import { FROM, instant, partOf, RECORD_FIELDS, type RecordField } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** What polls, votes and the time change, as JSON. */
const LIVE = {
  currentPlayers: ({ columns }: Snapshot, slot: number) => columns.currentPlayers[slot],
  maxPlayers: ({ columns }: Snapshot, slot: number) => columns.maxPlayers[slot],
  isOnline: ({ online }: Snapshot, slot: number) => hasSlot(online, slot),
  map: ({ maps }: Snapshot, slot: number) => maps.jsonOf(slot),
  totalVotes: ({ columns }: Snapshot, slot: number) => columns.totalVotes[slot],
  country: ({ geography }: Snapshot, slot: number) => `"${geography.countryOf(slot)}"`,
  region: ({ geography }: Snapshot, slot: number) => JSON.stringify(geography.regionOf(slot)),
  isRegionDerived: ({ geography }: Snapshot, slot: number) => geography.isRegionDerived(slot),
  monthlyVotes: ({ columns }: Snapshot, slot: number) => columns.monthlyVotes[slot],
  lastPolledAt: ({ columns }: Snapshot, slot: number) => instant(columns.lastPolledAt[slot] ?? Number.NaN),
  /** Never polled, or the next poll is overdue: comparisons with NaN are false. */
  isStale: ({ columns: { lastPolledAt, freshUntil } }: Snapshot, slot: number, now: number) =>
    Number.isNaN(lastPolledAt[slot]) || !((freshUntil[slot] ?? Number.NaN) >= now),
  queryMs: ({ columns }: Snapshot, slot: number) => ((columns.queryMs[slot] ?? -1) < 0 ? null : columns.queryMs[slot]),
  /** Rank by votes, from 1, in the default order of lists. */
  rank: ({ orders }: Snapshot, slot: number) => orders.positions('totalVotes', 'desc')(slot) + 1,
}

/** Fields that items have only if a client selects them. */
const SELECTED = {
  playersByHour: ({ playerHours }: Snapshot, slot: number, now: number) => JSON.stringify(playerHours.of(slot, now)),
}

export type ListField = RecordField | keyof typeof LIVE | keyof typeof SELECTED

/** The fields of an item of `/servers`, in the order of every reply. */
export const LIST_FIELDS = [
  ...RECORD_FIELDS.slice(FROM.summary, FROM.detail),
  ...(Object.keys(LIVE) as (keyof typeof LIVE)[]),
] as const satisfies readonly ListField[]

export const SELECTABLE_FIELDS = [
  ...LIST_FIELDS,
  ...(Object.keys(SELECTED) as (keyof typeof SELECTED)[]),
] as const satisfies readonly ListField[]

/** Which fields an item has: those of `/public/servers`, those of `/servers`, or some of the latter in their order. */
export type View = 'public' | 'full' | readonly ListField[]

/** Output buffer shared by all replies, which are rendered synchronously. */
let page = Buffer.allocUnsafeSlow(65_536)
let length = 0

function roomFor(bytes: number): void {
  if (length + bytes <= page.length) return
  const larger = Buffer.allocUnsafeSlow((length + bytes) * 2)
  page.copy(larger, 0, 0, length)
  page = larger
}

function write(text: string): void {
  roomFor(text.length * 3)
  length += page.write(text, length, 'utf8')
}

function writeRecord({ records }: Snapshot, slot: number, from: number, to: number): void {
  const bytes = records.copy(slot, from, to, page, length)
  if (length + bytes > page.length) {
    roomFor(bytes)
    records.copy(slot, from, to, page, length)
  }
  length += bytes
}

/** A strong entity tag: equal bytes have equal tags, whichever process or snapshot rendered them. */
function finish(pagination?: PagePosition): RenderedJson {
  const bytes = Buffer.allocUnsafeSlow(length)
  page.copy(bytes, 0, 0, length)
  // 132 bits; SHA-256 is also the fastest hash on processors with instructions for it.
  const tag = hash('sha256', bytes, 'base64url').slice(0, 22)
  return new RenderedJson(bytes, `"${tag}"`, { maxAgeSeconds: 1, pagination })
}

/** @param now epoch ms: decides `isStale` */
export function renderList(
  snapshot: Snapshot,
  found: Found,
  query: DirectoryQuery,
  view: View,
  now: number,
): RenderedJson {
  writeList(snapshot, found.slots, view, now, writeRecord)
  // A page can't have fewer servers than its limit says, so its descriptions are shortened (docs/decisions/0014).
  if (length > MAX_PAGE_BYTES) writeList(snapshot, found.slots, view, now, writeShortened)
  const { total } = found
  const { page, limit } = query
  const totalPages = Math.ceil(total / limit)
  write(`],"pagination":{"page":${page ?? null},"limit":${limit},"total":${total},"totalPages":${totalPages}}`)
  const nextCursor = view === 'public' ? undefined : found.next ? writeListCursor(query, found.next) : null
  const ignoredWords = JSON.stringify(found.ignoredWords ?? [])
  write(nextCursor === undefined ? '}' : `,"nextCursor":${JSON.stringify(nextCursor)},"ignoredWords":${ignoredWords}}`)
  return finish(page === undefined ? { nextCursor: nextCursor ?? null } : { page, totalPages })
}

function writeList(
  snapshot: Snapshot,
  slots: ArrayLike<number>,
  view: View,
  now: number,
  writeFixed: typeof writeRecord,
): void {
  length = 0
  write('{"servers":[')
  const positionOf = snapshot.orders.positions('totalVotes', 'desc')
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) write(',')
    const slot = slots[i] ?? 0
    if (typeof view !== 'string') writeSelected(snapshot, slot, view, now, writeFixed)
    else {
      writeFixed(snapshot, slot, FROM.summary, view === 'full' ? FROM.detail : FROM.listing)
      const ofFull = view === 'full' ? `${fullFields(snapshot, slot, now)},"rank":${positionOf(slot) + 1}` : ''
      write(`${liveFields(snapshot, slot)}${ofFull}}`)
    }
  }
}

function writeSelected(
  snapshot: Snapshot,
  slot: number,
  fields: readonly ListField[],
  now: number,
  writeFixed: typeof writeRecord,
): void {
  const start = length
  for (const field of fields)
    if (isRendered(field)) write(`,"${field}":${RENDERED[field](snapshot, slot, now)}`)
    else writeFixed(snapshot, slot, partOf(field), partOf(field) + 1)
  page.write('{', start) // instead of the comma that all parts but the first of a record begin with
  write('}')
}

const RENDERED = { ...LIVE, ...SELECTED }
const isRendered = (field: ListField): field is keyof typeof RENDERED => field in RENDERED

/** For pages that would be larger than `MAX_PAGE_BYTES`: then 100 of the largest listings have 0.95 MB. */
export const SHORTENED_DESCRIPTION = 500

/** Like `writeRecord`, with a shortened description. */
function writeShortened(snapshot: Snapshot, slot: number, from: number, to: number): void {
  const part = partOf('description')
  if (part < from || part >= to) {
    writeRecord(snapshot, slot, from, to)
    return
  }
  writeRecord(snapshot, slot, from, part)
  const start = length
  writeRecord(snapshot, slot, part, part + 1)
  const { description } = JSON.parse(`{${page.toString('utf8', start + 1, length)}}`) as { description: string }
  const characters = [...description]
  if (characters.length > SHORTENED_DESCRIPTION) {
    length = start
    write(`,"description":${JSON.stringify(`${characters.slice(0, SHORTENED_DESCRIPTION - 1).join('')}…`)}`)
  }
  writeRecord(snapshot, slot, part + 1, to)
}

/** A page of the change feed. Its items have no rank, which changes with the votes of other servers. */
export function renderChanges(
  snapshot: Snapshot,
  changes: { slots: readonly number[]; removed: readonly string[]; hasMore: boolean },
  cursor: string,
  now: number,
): RenderedJson {
  length = 0
  writeItems(snapshot, changes.slots, now)
  write(`,"removed":${JSON.stringify(changes.removed)},"cursor":"${cursor}","hasMore":${changes.hasMore}}`)
  return finish()
}

export function renderLookup(
  snapshot: Snapshot,
  found: { slots: readonly number[]; missing: readonly string[]; remaining: readonly string[] },
  now: number,
): RenderedJson {
  length = 0
  writeItems(snapshot, found.slots, now)
  write(`,"missing":${JSON.stringify(found.missing)},"remaining":${JSON.stringify(found.remaining)}}`)
  return finish()
}

/** A server as an event of the live stream. */
export function renderServerEvent(snapshot: Snapshot, slot: number, cursor: string, now: number): Buffer {
  length = 0
  write(`id: ${cursor}\nevent: server\ndata: `)
  writeItem(snapshot, slot, now)
  write('\n\n')
  return Buffer.copyBytesFrom(page, 0, length)
}

function writeItems(snapshot: Snapshot, slots: readonly number[], now: number): void {
  write('{"servers":[')
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) write(',')
    writeItem(snapshot, slots[i] ?? 0, now)
  }
  write(']')
}

function writeItem(snapshot: Snapshot, slot: number, now: number): void {
  writeRecord(snapshot, slot, FROM.summary, FROM.detail)
  write(`${liveFields(snapshot, slot)}${fullFields(snapshot, slot, now)}}`)
}

/** The reply of `getPublicServer`. */
export function renderPublicDetail(snapshot: Snapshot, slot: number): RenderedJson {
  length = 0
  writeRecord(snapshot, slot, FROM.summary, FROM.listing)
  writeRecord(snapshot, slot, FROM.rates, FROM.banner)
  write(`${liveFields(snapshot, slot)},"version":${snapshot.versions.jsonOf(slot)}}`)
  return finish()
}

/** The reply of `getServer`: all fields, and the results of polls. */
export function renderDetail(snapshot: Snapshot, slot: number, now: number): RenderedJson {
  length = 0
  writeDetail(snapshot, slot, now)
  write('}')
  return finish()
}

/** @param peaks by slot, in the same order: highest player count of the last 24 hours */
export function renderComparison(
  snapshot: Snapshot,
  slots: readonly number[],
  peaks: readonly (number | null)[],
  now: number,
): RenderedJson {
  length = 0
  write('{"servers":[')
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) write(',')
    writeDetail(snapshot, slots[i] ?? 0, now)
    write(`,"peak24h":${peaks[i] ?? null}}`)
  }
  write(']}')
  return finish()
}

/** Without the closing brace. */
function writeDetail(snapshot: Snapshot, slot: number, now: number): void {
  const { columns, versions } = snapshot
  writeRecord(snapshot, slot, FROM.summary, FROM.end)
  write(
    `${liveFields(snapshot, slot)}${fullFields(snapshot, slot, now)}${rank(snapshot, slot)},"version":${versions.jsonOf(slot)},` +
      `"consecutiveFailures":${columns.consecutiveFailures[slot]},"uptime":{"day":${share(columns.uptimeDay[slot])},` +
      `"week":${share(columns.uptimeWeek[slot])},"month":${share(columns.uptimeMonth[slot])}}`,
  )
}

/** The reply of `countServers`. */
export function renderFacets(counts: FacetCounts): RenderedJson {
  length = 0
  write(JSON.stringify(counts))
  return finish()
}

/** The platform's totals, over listed servers. */
export function renderStats({ taken, online, totals }: Snapshot): RenderedJson {
  const { players, votes } = totals()
  length = 0
  write(
    `{"totalServers":${taken.size},"onlineServers":${online.size},` +
      `"totalPlayers":${players},"totalVotes":${votes}}`,
  )
  return finish()
}

const liveFields = (snapshot: Snapshot, slot: number): string =>
  `,"currentPlayers":${LIVE.currentPlayers(snapshot, slot)},"maxPlayers":${LIVE.maxPlayers(snapshot, slot)},` +
  `"isOnline":${LIVE.isOnline(snapshot, slot)},"map":${LIVE.map(snapshot, slot)},` +
  `"totalVotes":${LIVE.totalVotes(snapshot, slot)}`

const fullFields = (snapshot: Snapshot, slot: number, now: number): string =>
  `,"monthlyVotes":${LIVE.monthlyVotes(snapshot, slot)},"lastPolledAt":${LIVE.lastPolledAt(snapshot, slot)},` +
  `"isStale":${LIVE.isStale(snapshot, slot, now)},"queryMs":${LIVE.queryMs(snapshot, slot)},"country":${LIVE.country(snapshot, slot)},` +
  `"region":${LIVE.region(snapshot, slot)},"isRegionDerived":${LIVE.isRegionDerived(snapshot, slot)}`

const rank = (snapshot: Snapshot, slot: number) => `,"rank":${LIVE.rank(snapshot, slot)}`

const share = (value = Number.NaN) => (Number.isNaN(value) ? 'null' : String(value))
