// Servers as administrators see and change them.
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { count, filter, flag, instant, search } from './admin-fields.ts'

export const ListingsQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  search: search.describe('Part of the name or the address, in any case'),
  owner: z
    .union([z.literal('none'), z.uuid()], 'must be an account’s id, or none')
    .optional()
    .describe('Id of the owner; `none`: servers that nobody owns'),
  hidden: filter,
  verified: filter,
  online: filter,
})
export type ListingsQuery = z.output<typeof ListingsQuery>

export const Listing = z
  .object({
    id: z.uuid(),
    name: z.string(),
    game: z.string(),
    ipAddress: z.string(),
    gamePort: z.int(),
    queryPort: z.int(),
    ownerId: z.uuid().nullable(),
    ownerUsername: z.string().describe('Empty without an owner'),
    isVerified: z.boolean(),
    isFeatured: z.boolean(),
    hiddenAt: instant.nullable().describe('Since when it is neither listed nor polled'),
    isOnline: z.boolean(),
    currentPlayers: count,
    maxPlayers: count,
    map: z.string(),
    consecutiveFailures: count,
    lastPolledAt: instant.nullable(),
    lastOnlineAt: instant.nullable(),
    nextPollAt: instant.nullable(),
    totalVotes: count,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'AdminServer' })

export const Listings = z.object({ servers: z.array(Listing), pagination: Pagination })

export const ListingChange = z.strictObject({
  hidden: flag.describe('Whether it is taken out of the directory and not polled'),
  ownerId: z
    .uuid('must be an account’s id, or null')
    .nullable()
    .optional()
    .describe('Hands it over; null: nobody’s. `isVerified`, the proof of the former owner, is false then unless given'),
  isVerified: flag,
  isFeatured: flag,
})
export type ListingChange = z.output<typeof ListingChange>
