// Who may manage a server: its owner and administrators. Every room's owner endpoints ask here.
import { validate as isUuid } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { noSuchServer } from '../directory/index.ts'
import { findManaged, lockListing, type Managed } from './management.sql.ts'

export interface ManagedBy {
  /** False for an administrator who manages another's server: that is to be recorded in the audit log. */
  isOwner: boolean
}

/**
 * Sees to it that the actor may manage a server, as of now.
 * @throws ApiError 404 for a server that is not there (a malformed id, a removed one, another's that is hidden), 403 for another's
 */
export async function requireManaged(db: Db, actor: Actor, id: string): Promise<ManagedBy> {
  return judge(actor, isUuid(id) ? await findManaged(db, id) : undefined)
}

/** The same, and the listing can't change hands or go until the transaction ends. */
export async function lockManaged(tx: Db, actor: Actor, id: string): Promise<ManagedBy> {
  return judge(actor, isUuid(id) ? await lockListing(tx, id) : undefined)
}

function judge(actor: Actor, listing: Managed | undefined): ManagedBy {
  if (!listing) throw noSuchServer()
  const isOwner = listing.ownerId === actor.userId
  if (!isOwner && !actor.isAdmin)
    throw listing.isHidden ? noSuchServer() : new ApiError(403, 'forbidden', 'This server is not yours.')
  return { isOwner }
}
