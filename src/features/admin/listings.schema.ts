// Servers in the replies and requests of administrators.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Port } from '../../platform/http/port.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { count, filter, flag, search } from './admin-fields.ts'

export const ListingsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  search: search.describe('Part of the name or the address, case-insensitive; or the id'),
  owner: z
    .union([z.literal('none'), z.uuid()], 'must be an account’s id, or none')
    .optional()
    .describe('Id of the owner; `none`: servers without an owner'),
  hidden: filter,
  verified: filter,
  online: filter,
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
    isOnline: z.boolean(),
    currentPlayers: count,
    maxPlayers: count,
    map: z.string(),
    consecutiveFailures: count,
    lastPolledAt: Timestamp.nullable(),
    lastOnlineAt: Timestamp.nullable(),
    nextPollAt: Timestamp.nullable(),
    totalVotes: count,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'AdminServer' })

export const Listings = pageOf('servers', Listing)

export const ListingChange = z.strictObject({
  hidden: flag.describe('Whether the server is removed from the directory and not polled'),
  ownerId: z
    .uuid('must be an account’s id, or null')
    .nullable()
    .optional()
    .describe('New owner; null: none. A change of the owner sets `isVerified` to false, unless it is given'),
  isVerified: flag,
  isFeatured: flag,
})
export type ListingChange = z.output<typeof ListingChange>
