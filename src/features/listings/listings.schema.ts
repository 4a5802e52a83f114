// Requests and replies of the operations by which owners manage their servers.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Port } from '../../platform/http/port.ts'
import { webAddress } from '../../platform/text.ts'
import { ServerDetail } from '../directory/index.ts'
import { listingFields as field, MEMBER_ROLES, ProbeResult, RIGHTS, ROLES } from '../servers/index.ts'

const tagsText = z
  .string('must be a string')
  .transform((tags): string | string[] => tags)
  .pipe(field.tags)

const ADDRESS = 'IPv4 address, IPv6 address or DNS name'

/** Fields of a Minecraft server that Bedrock players can join too. */
const editions = {
  bedrockAddress: field.bedrockAddress
    .optional()
    .describe(`Where Bedrock players connect, if the game is \`minecraft\`: ${ADDRESS}. Both editions are polled`),
  bedrockPort: field.port.optional().describe('Port for Bedrock players; default: 19132'),
}
const nameFromServer = z
  .boolean('must be true or false')
  .optional()
  .describe('Whether polls set `name` to the name that the game server reports')

export const CreateServer = z.object({
  name: field.name,
  ipAddress: field.ipAddress.describe(ADDRESS),
  gamePort: field.port
    .optional()
    .describe(
      'Port for players. Leave it out if players connect without a port: then SRV records are followed where the game’s client does, ' +
        'else the game’s usual port counts',
    ),
  queryPort: field.port.optional().describe('Port for queries; default: the game’s usual one'),
  game: field.game.optional().describe('gamedig type id; default: the setting `DEFAULT_GAME`'),
  gameMode: field.gameMode.optional(),
  description: field.description.optional(),
  website: webAddress.optional(),
  chatUrl: webAddress.optional(),
  region: field.region.optional(),
  tags: tagsText.optional().describe('Comma-separated'),
  ...editions,
  nameFromServer,
})

export const ProbeServer = CreateServer.pick({ ipAddress: true, gamePort: true, queryPort: true, game: true })

export const ServerProbeReply = z
  .object({
    ipAddress: z.string(),
    queryPort: Port.describe('The one that was queried'),
    listedId: z
      .uuid()
      .nullable()
      .describe(
        'The server that is listed with this address and query port, to claim it; null for none and for hidden ones',
      ),
    result: ProbeResult,
  })
  .meta({ id: 'ServerProbe' })

export const CreatedServer = z.object({
  server: z.object({ id: z.uuid(), name: z.string() }),
  verificationToken: z.string().describe('Token that proves ownership once the game server shows it'),
  message: z.string(),
})

/** Any other field is 400. An empty string deletes the value. */
export const UpdateServer = z.strictObject({
  name: field.name.optional(),
  description: field.description.optional(),
  ipAddress: field.ipAddress.optional().describe(ADDRESS),
  gamePort: field.port.nullable().optional().describe('Port for players; null: they connect without a port'),
  queryPort: field.port.optional().describe('Port for queries; does not follow `gamePort` or `game`'),
  game: field.game.optional().describe('gamedig type id'),
  region: field.region.optional(),
  tags: tagsText.optional().describe('Comma-separated'),
  gameMode: z.enum(['PvP', 'PvE', 'PvPvE', ''], 'must be PvP, PvE or PvPvE').optional(),
  website: webAddress.optional(),
  chatUrl: webAddress.optional(),
  bannerUrl: webAddress.optional(),
  rates: field.rates.optional().describe('Comma-separated `name:number` pairs'),
  mods: field.mods.optional().describe('Comma-separated'),
  ...editions,
  nameFromServer,
  wipeSchedule: field.wipeSchedule
    .nullable()
    .optional()
    .describe('When the server wipes: each week, or once. `nextWipeAt` follows; null: not known'),
})
export type UpdateServer = z.output<typeof UpdateServer>

export const Listing = ServerDetail.extend({
  gamePortGiven: z.boolean().describe('False: players connect without a port; `gamePort` is the one that was found'),
  bedrockAddress: z.string().describe('Empty: none'),
  bedrockPort: Port.nullable(),
  nameFromServer: z.boolean(),
  wipeSchedule: field.storedWipeSchedule.nullable(),
  visibility: z
    .enum(['listed', 'unverified', 'hidden'])
    .describe(
      'Whether the directory lists the server. `unverified`: not before its owner has verified it, which the operator can require; ' +
        '`hidden`: not while an administrator hides it',
    ),
  role: z.enum(ROLES).describe('The caller’s role on this server'),
  rights: z.array(z.enum(RIGHTS)).describe('Rights of the caller’s role'),
}).meta({ id: 'ServerListing' })

export const ServerAccess = z
  .object({
    username: z.string().describe('Username of the caller'),
    isAdmin: z.boolean().describe('Whether the caller administers the directory'),
    isModerator: z.boolean().describe('Granted by an administrator; administrators may do all that moderators may'),
    role: z.enum(ROLES).nullable().describe('The caller’s role on this server; null: none'),
    rights: z.array(z.enum(RIGHTS)).describe('Rights of the caller’s role'),
    isFavorite: z.boolean(),
  })
  .meta({ id: 'ServerAccess' })

export const RemovedServer = z.object({ message: z.string() })

const count = z.int().min(0)

export const OwnedServer = z
  .object({
    id: z.uuid(),
    name: z.string(),
    ipAddress: z.string(),
    gamePort: Port,
    isOnline: z.boolean(),
    totalVotes: count,
    monthlyVotes: count.describe('Votes in this calendar month (UTC)'),
    recentVotes: count.describe('Votes of the last 24 hours'),
  })
  .meta({ id: 'OwnedServer' })

export const MemberServer = OwnedServer.extend({
  role: z.enum(MEMBER_ROLES).describe('The caller’s role on this server'),
  mayUseRcon: z.boolean(),
}).meta({ id: 'MemberServer' })
export const MemberServers = pageOf('servers', MemberServer)

export const OwnedServersQuery = z.object(pageQuery({ limit: 10, maxLimit: 100 }))
export const OwnedServers = pageOf('servers', OwnedServer)
