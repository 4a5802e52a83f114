// A server's fixed JSON: the owner's fields, rendered once per edit, in parts. Each reply copies one
// or two runs of parts.
import { logoUrl } from '../../faces/index.ts'
import { gameName } from '../../games/index.ts'
import { iconPath, type ProfileField, selfReportedFields } from '../../profiles/index.ts'
import { connectionOf, plainMotd, sourceOf } from '../../servers/index.ts'
import { isoInstant } from './instants.ts'
import type { ServerRow } from './rows.ts'
import type { PartRange, TextArena } from './text-arena.ts'

const json = (value: string) => (value === '' ? '""' : JSON.stringify(value))
export const instant = (epochMs: number | null): string =>
  epochMs === null || !Number.isFinite(epochMs) ? 'null' : `"${isoInstant(epochMs)}"`

/** A server's row, with the game server's values in the fields that its owner left empty. */
export interface ShownServer extends ServerRow {
  selfReported: readonly ProfileField[]
  connection: ReturnType<typeof connectionOf>
}

export function withProfile(row: ServerRow): ShownServer {
  const { profile } = row
  const selfReported = profile ? selfReportedFields(row, profile) : []
  const reported = Object.fromEntries(selfReported.map((field) => [field, profile?.[field]]))
  return { ...row, ...reported, selfReported, connection: connectionOf(row) }
}

/** The fields of a record, in order, as JSON; each is a part. */
const FIELDS = {
  id: ({ id }: ServerRow) => `"${id}"`,
  name: ({ name }: ServerRow) => json(name),
  ipAddress: ({ ipAddress }: ServerRow) => json(ipAddress),
  gamePort: ({ gamePort }: ServerRow) => gamePort,
  description: ({ description }: ServerRow) => json(description),
  createdAt: ({ createdAt }: ServerRow) => instant(createdAt),
  game: ({ game }: ServerRow) => json(game),
  gameName: ({ game }: ServerRow) => json(gameName(game)),
  gameMode: ({ gameMode }: ServerRow) => json(gameMode),
  tags: ({ tags }: ServerRow) => json(tags),
  isVerified: ({ isVerified }: ServerRow) => isVerified,
  isClaimed: ({ isClaimed }: ServerRow) => isClaimed,
  source: (server: ServerRow) => json(sourceOf(server)),
  isFeatured: ({ isFeatured }: ServerRow) => isFeatured,
  lastWipeAt: ({ lastWipeAt }: ServerRow) => instant(lastWipeAt),
  nextWipeAt: ({ nextWipeAt }: ServerRow) => instant(nextWipeAt),
  connectAddress: ({ connection }: ShownServer) => json(connection.connectAddress),
  joinUrl: ({ connection }: ShownServer) => JSON.stringify(connection.joinUrl),
  iconUrl: ({ profile }: ServerRow, baseUrl: string) =>
    profile?.icon ? `"${baseUrl}${iconPath(profile.icon)}"` : 'null',
  logoUrl: ({ logoHash, profile }: ServerRow, baseUrl: string) =>
    JSON.stringify(logoUrl({ logoHash, profile }, baseUrl)),
  bannerUrl: ({ bannerUrl }: ServerRow) => json(bannerUrl),
  motd: ({ profile }: ServerRow) => json(plainMotd(profile?.motd ?? '')),
  rates: ({ rates }: ServerRow) => json(rates),
  queryPort: ({ queryPort }: ServerRow) => queryPort,
  mods: ({ mods }: ServerRow) => json(mods),
  chatUrl: ({ chatUrl }: ServerRow) => json(chatUrl),
  website: ({ website }: ServerRow) => json(website),
  updatedAt: ({ updatedAt }: ServerRow) => instant(updatedAt),
  motdFormatted: ({ profile }: ServerRow) => json(profile?.motd ?? ''),
  selfReported: ({ selfReported }: ShownServer) => JSON.stringify(selfReported),
}
export type RecordField = keyof typeof FIELDS
export const RECORD_FIELDS = Object.keys(FIELDS) as RecordField[]

export const partOf = (field: RecordField): number => RECORD_FIELDS.indexOf(field)

/** The parts of a record that each kind of reply has. */
export const RANGES = {
  publicList: { from: 0, to: partOf('game') },
  /** The parts that the detail has in addition to `publicList`. */
  publicDetail: { from: partOf('rates'), to: partOf('motdFormatted') },
  list: { from: 0, to: partOf('queryPort') },
  detail: { from: 0, to: RECORD_FIELDS.length },
} as const satisfies Record<string, PartRange>

/** The values that most servers have. A record stores only values that differ from these (`createTextArena`). */
const USUAL: Partial<Record<RecordField, string>> = {
  description: '""',
  gameMode: '""',
  tags: '""',
  isVerified: 'false',
  isClaimed: 'false',
  source: '"import"',
  isFeatured: 'false',
  lastWipeAt: 'null',
  nextWipeAt: 'null',
  joinUrl: 'null',
  iconUrl: 'null',
  logoUrl: 'null',
  rates: '""',
  mods: '""',
  chatUrl: '""',
  website: '""',
  bannerUrl: '""',
  motd: '""',
  motdFormatted: '""',
  selfReported: '[]',
}

const PARTS = RECORD_FIELDS.map((field, part) => ({
  start: `${part === 0 ? '{' : ','}"${field}":`,
  render: FIELDS[field],
  usual: USUAL[field],
}))

/** The usual text of each part; empty if the part has none. */
export const USUAL_PARTS: readonly string[] = PARTS.map(({ start, usual }) =>
  usual === undefined ? '' : `${start}${usual}`,
)

/**
 * The parts that start with `{` and have no `}`: the poll-dependent fields follow. Every part but the first
 * starts with a comma.
 * @returns an empty text for a part that has its usual one
 */
export const renderRecord = (server: ShownServer, baseUrl: string): string[] =>
  PARTS.map(({ start, render, usual }) => {
    const value = String(render(server, baseUrl))
    return value === usual ? '' : start + value
  })

/** The owner's fields that a server can be found by. */
export type Searchable = Pick<
  ServerRow,
  'name' | 'game' | 'gameMode' | 'tags' | 'mods' | 'description' | 'isClaimed' | 'rates'
>

/** A record as an object: the fields that are read back. */
export type ServerRecord = Searchable &
  Pick<ServerRow, 'id' | 'ipAddress' | 'gamePort'> & { gameName: string; connectAddress: string }

/** @param slot of a listed server: others have no record */
export const readRecord = (records: TextArena, slot: number): ServerRecord => JSON.parse(`${records.read(slot)}}`)

const ADDRESS = { from: partOf('ipAddress'), to: partOf('ipAddress') + 1 }
/** Whether the server's address is this one. Parses no record, because thousands of servers may share an address. */
export const hasAddress = (records: TextArena, slot: number, address: string): boolean =>
  records.read(slot, ADDRESS) === `,"ipAddress":${json(address)}`
