// Replies of the directory: servers, their lists and facets.
import * as z from 'zod'
import { Pagination, pageOf } from '../../../platform/http/paging.ts'
import { Port } from '../../../platform/http/port.ts'
import { PROFILE_FIELDS } from '../../profiles/index.ts'
import { MAX_VALUES } from '../engine/facet-counts.ts'

const instant = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-11-20T12:00:00.000Z'] })
const count = z.int().min(0)

const summary = {
  id: z.guid(),
  name: z.string(),
  ipAddress: z.string(),
  gamePort: Port.describe('As the owner gave it, else as found by an SRV record, else the game’s usual one'),
  currentPlayers: count.describe('People; bots are not counted'),
  maxPlayers: count,
  isOnline: z.boolean(),
  map: z.string().describe('Map name; empty if unknown'),
  description: z.string(),
  totalVotes: count,
  createdAt: instant,
}
const detail = {
  queryPort: Port,
  rates: z
    .string()
    .meta({ description: 'Comma-separated `name:number` pairs', examples: ['xp:5,taming:10,harvest:3'] }),
  mods: z.string().describe('Comma-separated'),
  chatUrl: z.string(),
  website: z.string(),
  version: z.string().describe('Version that the game server reports'),
  updatedAt: instant,
}
const listing = {
  connectAddress: z
    .string()
    .meta({ examples: ['play.example.org', '203.0.113.5:27015', '[2001:db8::1]:27015'] })
    .describe('What players type: without a port where the game’s client needs none'),
  joinUrl: z
    .string()
    .nullable()
    .meta({ examples: ['steam://connect/203.0.113.5:27015'] })
    .describe('Opens the game and joins the server; null for games without such a link'),
  currentBots: count,
  hasPassword: z
    .boolean()
    .nullable()
    .describe('Whether players need a password; null if the game server does not report it'),
  iconUrl: z
    .url()
    .nullable()
    .describe('The game server’s icon: a PNG image of at most 64×64 pixels, which never changes'),
  logoUrl: z
    .url()
    .nullable()
    .describe(
      'A picture that stands for the server, which never changes: its logo, WebP of 128×128 pixels, or with `-64.webp` instead of `.webp` of ' +
        '64×64; without a logo the same as `iconUrl`',
    ),
  game: z.string().describe('gamedig type id'),
  gameName: z.string(),
  gameMode: z.enum(['PvP', 'PvE', 'PvPvE', '']),
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/)
    .describe('Country of the address (ISO 3166-1 alpha-2); empty if unknown'),
  region: z.string().describe('As the owner gave it, else the country’s continent; empty if unknown'),
  isRegionDerived: z.boolean().describe('Whether the region is the country’s continent'),
  bannerUrl: z.string().describe('The banner’s address, as the owner gave it; empty if there is none'),
  motd: z.string().describe('The game server’s message of the day, without its formatting; empty if it has none'),
  tags: z.string().describe('Comma-separated'),
  rates: detail.rates,
  monthlyVotes: count.describe('Votes in this calendar month (UTC)'),
  lastWipeAt: instant.nullable(),
  nextWipeAt: instant.nullable().describe('When the server wipes next, as its owner says; null if that is not known'),
  isFeatured: z.boolean(),
  isVerified: z.boolean(),
  isClaimed: z.boolean().describe('Whether an account owns the server'),
  source: z
    .string()
    .meta({ examples: ['owner', 'luanti'] })
    .describe(
      'The source that found the server; `owner` for others that an account owns, `import` for others without an owner',
    ),
  lastPolledAt: instant.nullable(),
  isStale: z
    .boolean()
    .describe(
      'Whether the server was never polled, or its next poll is overdue by two poll intervals (of 60 seconds, unless the operator ' +
        'set another). Servers that do not answer are polled less often, up to every 15 minutes',
    ),
  queryMs: count
    .max(32_767)
    .nullable()
    .describe(
      'Round trip of the last answered poll in milliseconds, as the worker measured it; null if it was not measured',
    ),
}
const share = z.number().min(0).max(1).nullable()

export const ServerSummary = z.object(summary).meta({ id: 'ServerSummary' })
/** A server as favorites and other lists show it. */
export const ServerBrief = ServerSummary.pick({
  id: true,
  name: true,
  ipAddress: true,
  gamePort: true,
  currentPlayers: true,
  maxPlayers: true,
  isOnline: true,
  map: true,
})
const rank = z.int().min(1).describe('Rank by votes among all servers; 1 has the most')
const score = z
  .number()
  .min(0)
  .describe(
    'By which the site sorts: votes and players, which fade with time, times uptime, as in `GET /servers/{id}/rank`',
  )

export const ServerItem = z.object({ ...summary, ...listing }).meta({ id: 'ServerItem' })
const playersByHour = z
  .array(count.max(65_534).nullable())
  .length(24)
  .describe(
    'Average players in each of the last 24 whole hours, oldest first; null where no poll was answered or the hour is not added up yet; a server that was hidden may lack the hours before it is shown again. Only if `fields` selects it',
  )
const place = z.int().min(1).nullable()
const standing = z
  .object({
    month: z
      .string()
      .meta({ examples: ['2026-11'] })
      .describe('The running month, UTC'),
    place: place.describe('Servers with equal votes share a place; null without votes in the month'),
    previousPlace: place.describe(
      'In the month before; null if it had none then, or that month is not ranked yet; for up to an hour also after a hidden server is shown again',
    ),
  })
  .meta({ id: 'MonthStanding' })
  .describe(
    'Its place by `monthlyVotes` among all servers or, if `game` names one game, among those of that game. Only if `fields` selects it',
  )
export const RankedServerItem = z
  .object({
    ...summary,
    ...listing,
    rank,
    score,
    playersByHour: playersByHour.optional(),
    standing: standing.optional(),
  })
  .meta({ id: 'RankedServerItem' })
const SelectedServerItem = RankedServerItem.partial().meta({
  id: 'SelectedServerItem',
  description: 'A server with the fields that `fields` selects, and no others',
})
export const PublicServerDetail = z.object({ ...summary, ...detail }).meta({ id: 'PublicServerDetail' })
const edition = z.object({ connectAddress: z.string(), isOnline: z.boolean() }).meta({ id: 'ServerEdition' })
export const ServerDetail = z
  .object({
    ...summary,
    ...detail,
    ...listing,
    motdFormatted: z
      .string()
      .describe('`motd` with Minecraft’s formatting codes, such as `§a`, and `§#ff8800` for other colours'),
    selfReported: z
      .array(z.enum(PROFILE_FIELDS))
      .describe('Fields that the game server reports itself, because the owner left them empty'),
    editions: z
      .object({ java: edition, bedrock: edition })
      .nullable()
      .describe(
        'Of a Minecraft server for players of both editions: whether each answered the last poll. `currentPlayers` is that of Java, or of ' +
          'Bedrock if only that one answered. Null for all other servers',
      ),
    bannerImageUrl: z
      .url()
      .nullable()
      .describe('The banner, uploaded or downloaded from `bannerUrl`: WebP of 960×240 pixels, which never changes'),
    consecutiveFailures: count.describe('Consecutive polls without an answer'),
    uptime: z
      .object({ day: share, week: share, month: share })
      .describe('Mean of each hour’s share of answered polls; null if unknown'),
  })
  .meta({ id: 'ServerDetail' })
export const RankedServerDetail = ServerDetail.extend({ rank, score }).meta({ id: 'RankedServerDetail' })

const values = (item: z.ZodObject, what: string) =>
  z.array(item).max(MAX_VALUES).describe(`${what}: the ${MAX_VALUES} that most servers have`)
const FacetValue = z.object({ value: z.string(), servers: z.int().min(1) }).meta({ id: 'FacetValue' })
export const Facets = z
  .object({
    game: values(FacetValue.extend({ name: z.string() }).meta({ id: 'GameFacetValue' }), 'gamedig type ids'),
    map: values(FacetValue, 'Maps'),
    region: values(FacetValue, 'Regions, also derived ones'),
    country: values(FacetValue, 'Country codes'),
    gameMode: values(FacetValue, 'Game modes'),
    tags: values(FacetValue, 'Tags'),
    isClaimed: values(FacetValue, '`true` and `false`'),
  })
  .meta({ id: 'Facets' })

const CursorPagination = Pagination.extend({
  page: z.int().min(1).nullable().describe('Null with `cursor`'),
}).meta({ id: 'CursorPagination' })

export const PublicServers = pageOf('servers', ServerSummary)
const pageWithCursor = (item: z.ZodType) =>
  z.object({
    servers: z.array(item),
    pagination: CursorPagination,
    nextCursor: z.string().nullable().describe('The next page; null after the last'),
    ignoredWords: z
      .array(z.string())
      .describe(
        'Words of `q` that were not searched, because the query has too many or too common ones: the servers have all its other words. Mostly empty',
      ),
  })
/**
 * The document describes the first alternative, and the other apart as `x-selected`. With `anyOf`, no field of a server
 * would be required, and even clients that do not send `fields` would have to check each field.
 */
export const Servers = z
  .union([
    pageWithCursor(RankedServerItem).meta({ id: 'RankedServerItemPage' }),
    pageWithCursor(SelectedServerItem).meta({ id: 'SelectedServerItemPage' }),
  ])
  .meta({
    override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
      const [whole, selected] = jsonSchema.anyOf as object[]
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, whole, { 'x-selected': selected })
    },
  })
export const PlatformStatistics = z
  .object({ totalServers: count, onlineServers: count, totalPlayers: count, totalVotes: count })
  .meta({ id: 'PlatformStatistics' })
