// Who may manage a server: its owner and administrators. All features use this check.
import { validate as isUuid } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { noSuchServer } from '../directory/index.ts'
import { findManaged, lockListing, type Managed } from './management.sql.ts'

export interface ManagedBy {
  name: string
  /** False for an administrator who manages another user's server; such actions are recorded in the audit log. */
  isOwner: boolean
  /** By an administrator. */
  isHidden: boolean
}

/**
 * Checks that the actor may manage a server.
 * @throws ApiError 404 for a malformed id, a removed server, or another user's hidden server; 403 for another user's
 * server
 */
export async function requireManaged(db: Db, actor: Actor, id: string): Promise<ManagedBy> {
  return checkActor(actor, isUuid(id) ? await findManaged(db, id) : undefined)
}

/** The same, with the server locked: it cannot be removed or change its owner until the transaction ends. */
export async function lockManaged(tx: Db, actor: Actor, id: string): Promise<ManagedBy> {
  return checkActor(actor, isUuid(id) ? await lockListing(tx, id) : undefined)
}

function checkActor(actor: Actor, listing: Managed | undefined): ManagedBy {
  if (!listing) throw noSuchServer()
  const { name, ownerId, isHidden } = listing
  const isOwner = ownerId === actor.userId
  if (!isOwner && !actor.isAdmin)
    throw isHidden ? noSuchServer() : new ApiError(403, 'forbidden', 'This server belongs to another user.')
  return { name, isOwner, isHidden }
}
