// A server's fixed JSON in parts, of which each reply takes a run or two: the owner's fields, rendered once per edit.
import { gameName } from '../../games/index.ts'
import { isoInstant } from './instants.ts'
import type { ServerRow } from './rows.ts'

/** The fields of a record, in order; each is a part. */
export const RECORD_FIELDS = [
  'id',
  'name',
  'ipAddress',
  'gamePort',
  'description',
  'createdAt',
  'game',
  'gameName',
  'gameMode',
  'tags',
  'isVerified',
  'isFeatured',
  'lastWipeAt',
  'rates',
  'queryPort',
  'mods',
  'chatUrl',
  'website',
  'updatedAt',
  'bannerUrl',
] as const
export type RecordField = (typeof RECORD_FIELDS)[number]

export const partOf = (field: RecordField): number => RECORD_FIELDS.indexOf(field)

/** `FROM.x` is the part where a reply's run starts; `FROM.end` is the end. */
export const FROM = {
  summary: 0,
  listing: partOf('game'),
  rates: partOf('rates'),
  detail: partOf('queryPort'),
  banner: partOf('bannerUrl'),
  end: RECORD_FIELDS.length,
} as const

const json = (value: string) => (value === '' ? '""' : JSON.stringify(value))
export const instant = (epochMs: number | null): string =>
  epochMs === null || !Number.isFinite(epochMs) ? 'null' : `"${isoInstant(epochMs)}"`

/** Starts with `{` and has no `}`: the poll-dependent fields follow. Every part but the first starts with a comma. */
export function renderRecord(row: ServerRow): string[] {
  const [id, , , name, description, ipAddress, gamePort, queryPort, gameMode, , tags, website, chatUrl] = row
  const [, , , , , , , , , , , , , bannerUrl, rates, mods, isVerified, isFeatured, lastWipeAt, createdAt, updatedAt] =
    row
  const game = row[21]
  const values: Record<RecordField, unknown> = {
    id: `"${id}"`,
    name: json(name),
    ipAddress: json(ipAddress),
    gamePort,
    description: json(description),
    createdAt: instant(createdAt),
    game: json(game),
    gameName: json(gameName(game)),
    gameMode: json(gameMode),
    tags: json(tags),
    isVerified,
    isFeatured,
    lastWipeAt: instant(lastWipeAt),
    rates: json(rates),
    queryPort,
    mods: json(mods),
    chatUrl: json(chatUrl),
    website: json(website),
    updatedAt: instant(updatedAt),
    bannerUrl: json(bannerUrl),
  }
  return RECORD_FIELDS.map((field, part) => `${part === 0 ? '{' : ','}"${field}":${values[field]}`)
}

/** The owner's fields that a server can be found by. */
export interface Searchable {
  name: string
  game: string
  gameMode: string
  tags: string
  mods: string
  description: string
}

/** @param record the joined parts, as rendered */
export const readRecord = (record: string): Searchable => JSON.parse(`${record}}`)
