// Servers, accounts and statistics in the requests and replies of administrators.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Port } from '../../platform/http/port.ts'
import { flag } from '../../platform/http/query.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line, maxLength } from '../../platform/text.ts'
import { TIERS } from '../api-keys/index.ts'
import { LOCKED_KINDS } from '../faces/index.ts'

/** Does not filter if omitted. */
const filter = flag.optional()
const search = line(0, 100).default('')
const change = z.boolean('must be true or false').optional()
const count = z.int().min(0)

const faceKinds = z.array(z.enum(LOCKED_KINDS))

const listingFilters = {
  search: search.describe('Part of the name or the address; case and accents do not count; or the id'),
  owner: z
    .union([z.literal('none'), z.uuid()], 'must be an account’s id, or none')
    .optional()
    .describe('Id of the owner; `none`: servers without an owner'),
  hidden: filter,
  verified: filter,
  online: filter,
}

export const ListingsQuery = z.object({ ...pageQuery({ limit: 20, maxLimit: 100 }), ...listingFilters })

export const ExportQuery = z.object(listingFilters)

export const HideServers = z.object({
  ids: z
    .array(z.string('must be an id').check(maxLength(100, 'must be an id')), 'must be a list of ids')
    .min(1, 'must name at least one server')
    .max(100, 'must have at most 100 servers'),
  hidden: z.boolean('must be true or false').describe('Whether they are removed from the directory and not polled'),
  reason: line(0, 200).default('').describe('For the audit log'),
})

export const HiddenServers = z.object({
  changed: count.describe('Servers that were not so before'),
  missing: z.array(z.string()).describe('Ids of no server'),
})

export const ImportQuery = z.object({
  dryRun: flag.default(false).describe('Whether nothing is listed: only what would be added and refused is answered'),
})

export const ImportReport = z.object({
  dryRun: z.boolean(),
  added: count.describe('Rows that are listed now, or would be'),
  refused: z.array(
    z.object({ place: z.string().describe('As `line 12`'), reason: z.string() }).meta({ id: 'RefusedRow' }),
  ),
  ignoredColumns: z.array(z.string()).describe('Columns that no field has'),
})

export const Listing = z
  .object({
    id: z.uuid(),
    name: z.string(),
    game: z.string(),
    ipAddress: z.string(),
    gamePort: Port,
    queryPort: Port,
    ownerId: z.uuid().nullable(),
    ownerUsername: z.string().describe('Empty without an owner'),
    isVerified: z.boolean(),
    isFeatured: z.boolean(),
    hiddenAt: Timestamp.nullable().describe('Since when the server is not listed and not polled'),
    hiddenBy: z.enum(['admin', 'moderator']).nullable().describe('`admin`: only administrators may show it again'),
    isListed: z.boolean().describe('Whether visitors see the server'),
    isOnline: z.boolean(),
    currentPlayers: count,
    maxPlayers: count,
    map: z.string(),
    consecutiveFailures: count,
    lastPolledAt: Timestamp.nullable(),
    lastOnlineAt: Timestamp.nullable(),
    nextPollAt: Timestamp.nullable(),
    totalVotes: count,
    shownFaces: faceKinds.describe('Which pictures it has; `icon` is reported by the game server'),
    lockedFaces: faceKinds.describe('Which pictures were removed and can’t be set'),
    facesLockedByAdmin: faceKinds.describe('Which of these only administrators may unlock'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'AdminServer' })

export const Listings = pageOf('servers', Listing)

export const ListingChange = z.strictObject({
  hidden: change.describe(
    'Whether the server is removed from the directory and not polled. All that moderators may change',
  ),
  ownerId: z
    .uuid('must be an account’s id, or null')
    .nullable()
    .optional()
    .describe('New owner; null: none. A change of the owner sets `isVerified` to false, unless it is given'),
  isVerified: change,
  isFeatured: change,
})

export const NO_SUCH_USER = 'There is no such user.'

export const UserParams = z.object({ id: idParam('User id', NO_SUCH_USER) })

export const UsersQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  search: search.describe('Part of the email address or the username; case and accents do not count; or the id'),
  banned: filter,
  admin: filter,
  moderator: filter,
})

const tier = z.enum(TIERS, `must be one of ${TIERS.join(', ')}`)

export const User = z
  .object({
    id: z.uuid(),
    email: z.string().describe('Empty if there is none'),
    emailVerified: z.boolean(),
    username: z.string(),
    avatarUrl: z.string(),
    gamePlatformId: z.string().describe('Empty unless linked'),
    chatId: z.string().describe('Empty unless linked'),
    isAdmin: z.boolean().describe('By another administrator, or by the setting `ADMIN_EMAILS`'),
    isModerator: z.boolean().describe('By an administrator; stays while the account is an administrator too'),
    tier,
    bannedAt: Timestamp.nullable(),
    sessions: count.describe('Active sessions'),
    apiKeys: count.describe('Not revoked'),
    ownedServers: count,
    createdAt: Timestamp,
  })
  .meta({ id: 'AdminUser' })

export const Users = pageOf('users', User)

export const UserChange = z.strictObject({
  banned: change.describe('A ban ends all sessions; API keys are rejected while it lasts'),
  isAdmin: change,
  isModerator: change.describe(
    'Moderators decide reports, read messages, hide servers and pictures, and see and void votes',
  ),
  tier: tier.optional(),
})

export const Stats = z.object({
  users: z.object({
    total: count,
    verified: count.describe('With a verified e-mail address'),
    banned: count,
    admins: count,
    lastDay: count.describe('Registered in the last 24 hours'),
  }),
  sessions: z.object({ living: count }),
  apiKeys: z.object({ usable: count, usedLastDay: count }),
  servers: z.object({
    total: count,
    online: count,
    verified: count,
    featured: count,
    hidden: count,
    unowned: count,
    neverAnswered: count,
    polledLastHour: count,
  }),
  polling: z.object({
    overdue: count.describe('Servers that were due for a poll more than 30 seconds ago'),
    overdueSeconds: z
      .int()
      .nullable()
      .describe('Since when the most overdue server has been due; negative: none is due; null: none is listed'),
  }),
  claims: z.object({ pending: count }),
  polls: z
    // A string, because SQL writes it into a JSON value.
    .object({ hour: z.iso.datetime({ precision: 3 }), polls: count, answered: count })
    .nullable()
    .describe('Of the last hour in the history; null before the first'),
})
