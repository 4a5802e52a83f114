// Administrators' operations on servers, of which moderators may list and hide.
import type { Deps } from '../../deps.ts'
import { confirmationNeeded } from '../../platform/http/authorize.ts'
import { validationFailed } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { auditAs, changesBetween } from '../audit/index.ts'
import { notifyFormerMembers } from '../notifications/index.ts'
import { refreshFeatured } from '../placements/index.ts'
import { eraseRewardRecords } from '../rewards/index.ts'
import { removeServer } from '../server-removal/index.ts'
import { deleteTeams, noSuchServer, requireImpartial, ServerIdParams, setHidden } from '../servers/index.ts'
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
import { moderate } from './moderation.ts'

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

export const listingsOperations = ({ jobs }: Pick<Deps, 'jobs'>) => [
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
      const after = moderate(before, body, actor)
      const changes = changesBetween(before, after)
      if (changes) {
        if (after.ownerId !== null && !(await lockUserForShare(tx, after.ownerId)))
          throw validationFailed([{ path: 'body.ownerId', message: 'there is no such account' }])
        if (after.ownerId !== before.ownerId) {
          if (!actor.isConfirmed) throw confirmationNeeded() // its endpoints and its team are deleted
          await deleteEndpointsOfServer(tx, id)
          await eraseRewardRecords(tx, id)
          await notifyFormerMembers(tx, { jobs }, await deleteTeams(tx, [id]), after.ownerId)
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
    stepUp: true,
    resource: moderatedListing('server.delete'),
    returns: Success,
    changes: 'directory',
    async handle({ tx, listing: { id, before } }) {
      await removeServer(tx, id)
      return new Audited(SUCCESS, { before })
    },
  }),
]
