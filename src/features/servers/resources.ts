// Servers as the resources of operations: what `{id}` in a path names, who may use it (owners and administrators manage
// a server), and which lock is taken.
import * as z from 'zod'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { idParam, type Resource } from '../../platform/http/operation.ts'
import { auditAs } from '../audit/index.ts'
import { listedIn, noSuchServer } from './listing-rule.ts'
import { findManaged } from './servers.sql.ts'

export const ServerIdParams = z.object({ id: idParam('Server id', noSuchServer().message) })

/**
 * A listed server; otherwise 404.
 * @param options.lock `share`: it stays listed until the transaction ends
 */
export const listedServer = (options: { lock?: 'share' } = {}): Resource<'serverId', string> => ({
  name: 'serverId',
  params: ServerIdParams,
  errors: [404],
  async load(db, id) {
    const lock = options.lock ? 'for share' : ''
    const { rowCount } = await db.query(`select from servers where id = $1 and ${listedIn(db)} ${lock}`, [id])
    if (!rowCount) throw noSuchServer()
    return id
  },
})

export interface ManagedServer {
  id: string
  name: string
  /** False for an administrator who manages another user's server; such actions are recorded in the audit log. */
  isOwner: boolean
  /** By an administrator. */
  isHidden: boolean
}

/**
 * Checks that the actor may manage a server. All features use this check.
 * @param lock `update`: it cannot be removed or change its owner until the transaction ends
 * @throws ApiError 404 for a removed server, or another user's hidden server; 403 for another user's server
 */
export async function requireManaged(db: Db, actor: Actor, id: string, lock?: 'update'): Promise<ManagedServer> {
  const listing = await findManaged(db, id, lock)
  if (!listing) throw noSuchServer()
  const { name, ownerId, isHidden } = listing
  const isOwner = ownerId === actor.userId
  if (!isOwner && !actor.isAdmin)
    throw isHidden ? noSuchServer() : new ApiError(403, 'forbidden', 'This server belongs to another user.')
  return { id, name, isOwner, isHidden }
}

/**
 * A server for its owner and for administrators: 404 if it does not exist or was removed, 403 for other users.
 * @param options.lock `update`: it cannot change owners or be removed until the transaction ends
 * @param options.audit action of the audit entry that an administrator's use of another's server gets
 * @param options.auditsOwner whether the owner's use gets it too
 */
export const managedServer = (
  options: { lock?: 'update'; audit?: string; auditsOwner?: true } = {},
): Resource<'server', ManagedServer> => ({
  name: 'server',
  params: ServerIdParams,
  errors: [403, 404],
  async load(db, id, actor) {
    if (!actor) throw new Error('an operation on a managed server must not be public')
    return requireManaged(db, actor, id, options.lock)
  },
  async after(tx, done) {
    if (options.audit && (!done.value.isOwner || options.auditsOwner)) await auditAs('server', options.audit)(tx, done)
  },
})
