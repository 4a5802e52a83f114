// Administrators' operations on servers, of which moderators may list and hide.
import type * as z from 'zod'
import { withoutUndefined } from '../../platform/db/without-undefined.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { auditAs, changesBetween } from '../audit/index.ts'
import { refreshFeatured } from '../placements/index.ts'
import {
  deleteServer,
  deleteTeam,
  noSuchServer,
  requireImpartial,
  ServerIdParams,
  setHidden,
} from '../servers/index.ts'
import { deleteEndpointsOfServer } from '../webhooks/index.ts'
import { Listing, ListingChange, Listings, ListingsQuery } from './admin.schema.ts'
import {
  findListing,
  findListings,
  type ListingModeration,
  lockListingForModeration,
  lockUserForShare,
  updateListingModeration,
} from './listings.sql.ts'

const common = { tag: 'Administration', access: 'admin' } as const

/** A server of any owner, locked. Each action on it is audited, also on the administrator's own server. */
const moderatedListing = (action: string): Resource<'listing', { id: string; before: ListingModeration }> => ({
  name: 'listing',
  params: ServerIdParams,
  errors: [404],
  async load(db, id, actor) {
    const before = await lockListingForModeration(db, id)
    if (!before) throw noSuchServer()
    await requireImpartial(db, actor, id)
    return { id, before }
  },
  after: auditAs('server', action),
})

export const listingsOperations = [
  operation({
    ...common,
    method: 'get',
    path: '/admin/servers',
    access: 'moderator',
    operationId: 'listAllServers',
    summary: 'List all servers, including hidden ones; newest first',
    query: ListingsQuery,
    returns: Listings,
    handle: ({ db, query }) => findListings(db, query),
  }),
  operation({
    ...common,
    method: 'patch',
    path: '/admin/servers/{id}',
    access: 'moderator',
    operationId: 'moderateServer',
    summary: 'Hide, verify or feature a server, or change its owner',
    description:
      'Moderators may change `hidden` only, of servers that they neither own nor work on, and show again only what a moderator has hidden: ' +
      'everything else is 403. An administrator who hides what a moderator has hidden takes the decision over.',
    resource: moderatedListing('server.update'),
    body: ListingChange,
    returns: Listing,
    changes: 'directory',
    async handle({ tx, actor, listing: { id, before }, body }) {
      if (!actor.isAdmin) requireModeratorsChange(before, body)
      const after = applyChange(before, body, actor)
      const changes = changesBetween(before, after)
      if (changes) {
        if (after.ownerId !== null && !(await lockUserForShare(tx, after.ownerId)))
          throw validationFailed([{ path: 'body.ownerId', message: 'there is no such account' }])
        if (after.ownerId !== before.ownerId) {
          await deleteEndpointsOfServer(tx, id)
          await deleteTeam(tx, id)
        }
        await updateListingModeration(tx, id, after)
        await setHidden(tx, id, after.hidden)
        await refreshFeatured(tx, [id])
      }
      return new Audited(await findListing(tx, id), changes)
    },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/admin/servers/{id}',
    operationId: 'removeServer',
    summary: 'Remove a server from the directory',
    resource: moderatedListing('server.delete'),
    returns: Success,
    changes: 'directory',
    async handle({ tx, listing: { id, before } }) {
      await deleteServer(tx, id)
      return new Audited(SUCCESS, { before })
    },
  }),
]

/** @throws ApiError 403 for what only administrators may change */
function requireModeratorsChange(
  before: ListingModeration,
  { hidden, ...others }: z.output<typeof ListingChange>,
): void {
  if (Object.values(others).some((value) => value !== undefined))
    throw new ApiError(403, 'forbidden', 'Moderators may only hide a server, and show it again.')
  if (hidden === false && before.hidden && !before.hiddenByModerator)
    throw new ApiError(
      403,
      'forbidden',
      'An administrator has hidden this server, so only administrators may show it again.',
    )
}

/**
 * A verification belongs to the owner: a new owner is unverified unless the administrator says otherwise. An administrator
 * who hides a hidden server takes the decision over; a moderator who does changes nothing.
 */
function applyChange(
  before: ListingModeration,
  change: z.output<typeof ListingChange>,
  { isAdmin }: Pick<Actor, 'isAdmin'>,
): ListingModeration {
  const ownerId = change.ownerId === undefined ? before.ownerId : (change.ownerId?.toLowerCase() ?? null)
  const isVerified = before.isVerified && ownerId === before.ownerId
  const { hidden = before.hidden } = change
  const isDecidedNow = change.hidden === true && (isAdmin || !before.hidden)
  const hiddenByModerator = hidden && (isDecidedNow ? !isAdmin : before.hiddenByModerator)
  return { ...before, isVerified, ...withoutUndefined(change), ownerId, hiddenByModerator }
}
