// Renders replies straight to bytes: copies a server's fixed parts from its record and writes the changing fields in
// between.
import { hash } from 'node:crypto'
import { MAX_PAGE_BYTES, type PagePosition } from '../../../platform/http/paging.ts'
import { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { hasSlot } from './posting.ts'
import type { Found } from './query.ts'
import { FROM, instant } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** Which fields an item has: those of `/public/servers` or those of `/servers`. */
export type View = 'public' | 'full'

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
  paging: { page: number; limit: number },
  view: View,
  now: number,
): RenderedJson {
  writeList(snapshot, found.slots, view, now, writeRecord)
  // A page by number can't have fewer servers, so its descriptions are shortened (docs/decisions/0014).
  if (length > MAX_PAGE_BYTES) writeList(snapshot, found.slots, view, now, writeShortened)
  const { total } = found
  const totalPages = Math.ceil(total / paging.limit)
  write(`],"pagination":{"page":${paging.page},"limit":${paging.limit},"total":${total},"totalPages":${totalPages}}}`)
  return finish({ page: paging.page, totalPages })
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
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) write(',')
    const slot = slots[i] ?? 0
    writeFixed(snapshot, slot, FROM.summary, view === 'full' ? FROM.detail : FROM.listing)
    const ofFull = view === 'full' ? fullFields(snapshot, slot, now) + rank(snapshot, slot) : ''
    write(`${liveFields(snapshot, slot)}${ofFull}}`)
  }
}

/** For pages that would be larger than `MAX_PAGE_BYTES`: then 100 of the largest listings have 0.95 MB. */
export const SHORTENED_DESCRIPTION = 500

/** Like `writeRecord`, from the summary on, with a shortened description. */
function writeShortened(snapshot: Snapshot, slot: number, from: number, to: number): void {
  const start = length
  writeRecord(snapshot, slot, from, FROM.listing)
  const summary = JSON.parse(`${page.toString('utf8', start, length)}}`) as { description: string }
  const characters = [...summary.description]
  length = start
  if (characters.length > SHORTENED_DESCRIPTION)
    summary.description = `${characters.slice(0, SHORTENED_DESCRIPTION - 1).join('')}…`
  write(JSON.stringify(summary).slice(0, -1))
  writeRecord(snapshot, slot, FROM.listing, to)
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
  write(`${liveFields(snapshot, slot)},"version":${snapshot.versionJson[slot]}}`)
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
  const { columns, versionJson } = snapshot
  writeRecord(snapshot, slot, FROM.summary, FROM.end)
  write(
    `${liveFields(snapshot, slot)}${fullFields(snapshot, slot, now)}${rank(snapshot, slot)},"version":${versionJson[slot]},` +
      `"consecutiveFailures":${columns.consecutiveFailures[slot]},"uptime":{"day":${share(columns.uptimeDay[slot])},` +
      `"week":${share(columns.uptimeWeek[slot])},"month":${share(columns.uptimeMonth[slot])}}`,
  )
}

/** The platform's totals, over listed servers. */
export function renderStats({ taken, online, totals }: Snapshot): RenderedJson {
  length = 0
  write(
    `{"totalServers":${taken.size},"onlineServers":${online.size},` +
      `"totalPlayers":${totals.players},"totalVotes":${totals.votes}}`,
  )
  return finish()
}

function liveFields({ columns, online, mapJson }: Snapshot, slot: number): string {
  return (
    `,"currentPlayers":${columns.currentPlayers[slot]},"maxPlayers":${columns.maxPlayers[slot]},` +
    `"isOnline":${hasSlot(online, slot)},"map":${mapJson[slot]},"totalVotes":${columns.totalVotes[slot]}`
  )
}

function fullFields({ columns }: Snapshot, slot: number, now: number): string {
  const lastPolledAt = columns.lastPolledAt[slot] ?? Number.NaN
  // Never polled, or the next poll is overdue: comparisons with NaN are false.
  const isFresh = !Number.isNaN(lastPolledAt) && (columns.freshUntil[slot] ?? Number.NaN) >= now
  return `,"monthlyVotes":${columns.monthlyVotes[slot]},"lastPolledAt":${instant(lastPolledAt)},"isStale":${!isFresh}`
}

/** Rank by votes, from 1, in the default order of lists. */
const rank = ({ orders }: Snapshot, slot: number) => `,"rank":${orders.indexOf('totalVotes', 'desc', slot) + 1}`

const share = (value = Number.NaN) => (Number.isNaN(value) ? 'null' : String(value))
