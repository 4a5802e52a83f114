// Servers as the resources of operations: what `{id}` in a path names, who may use it (its owner, members by their
// role, administrators), and which lock is taken.
import * as z from 'zod'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { idParam, type Resource } from '../../platform/http/operation.ts'
import { auditAs } from '../audit/index.ts'
import { listedIn, noSuchServer } from './listing-rule.ts'
import { findMembership, isOnTeam } from './members.sql.ts'
import { type Right, type Role, rightsOf } from './roles.ts'
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
  role: Role
  rights: Right[]
  /** False for members and administrators; what they do is recorded in the audit log. */
  isOwner: boolean
  /** Whether an administrator has hidden it. */
  isHidden: boolean
}

/**
 * What the actor is to a server, and may do on it: no role and no right for other users.
 * @throws ApiError 404 for a removed server
 */
export async function findRole(db: Db, actor: Actor, id: string, lock?: 'update') {
  const listing = await findManaged(db, id, lock)
  if (!listing) throw noSuchServer()
  const isOwner = listing.ownerId === actor.userId
  // A statement of its own: after a wait for the lock, it sees that a member was removed during the wait.
  const membership = isOwner || actor.isAdmin ? undefined : await findMembership(db, id, actor.userId)
  const role: Role | undefined = isOwner ? 'owner' : actor.isAdmin ? 'admin' : membership?.role
  const rights = role ? rightsOf(role, membership?.mayUseRcon ?? false) : []
  return { ...listing, isOwner, role, rights }
}

/**
 * Checks what the actor may do on a server. All features use this check.
 * @param options.lock `update`: the server keeps its owner, and its members their roles, until the transaction ends
 * @throws ApiError 404 for a removed server, or another user's hidden server; 403 for another user's server, and for a
 * member whose role does not have the right
 */
export async function requireManaged(
  db: Db,
  actor: Actor,
  id: string,
  { right, lock }: { right: Right; lock?: 'update' | undefined },
): Promise<ManagedServer> {
  const { name, isHidden, isOwner, role, rights } = await findRole(db, actor, id, lock)
  if (!role) throw isHidden ? noSuchServer() : new ApiError(403, 'forbidden', 'This server belongs to another user.')
  if (!rights.includes(right)) throw new ApiError(403, 'forbidden', LACKS[right])
  return { id, name, role, rights, isOwner, isHidden }
}

/** Moderators decide about servers of others only. @throws ApiError 403 */
export async function requireImpartial(db: Db, actor: Actor | undefined, serverId: string): Promise<void> {
  if (!actor || actor.isAdmin || !(await isOnTeam(db, serverId, actor.userId))) return
  throw new ApiError(403, 'forbidden', 'You own this server or work on it, so another moderator must decide.')
}

const OWNER_ONLY = 'Only the owner of this server may do this.'
const LACKS: Record<Right, string> = {
  read: OWNER_ONLY,
  edit: 'Only the owner and the managers of this server may do this.',
  rcon: 'Only the owner of this server may do this, and managers whom the owner allows RCON.',
  own: OWNER_ONLY,
}

/**
 * A server for those who have a right on it: 404 if it does not exist or was removed, 403 for other users.
 * @param options.right default: `own`, so that members may do only what is meant for them
 * @param options.lock `update`: it cannot change owners or be removed, and its members keep their roles, until
 * the transaction ends
 * @param options.audit action of the audit entry that the use by members and administrators gets
 * @param options.auditsOwner whether the owner's use gets it too
 */
export const managedServer = (
  options: { right?: Right; lock?: 'update'; audit?: string; auditsOwner?: true } = {},
): Resource<'server', ManagedServer> => ({
  name: 'server',
  params: ServerIdParams,
  errors: [403, 404],
  async load(db, id, actor) {
    if (!actor) throw new Error('an operation on a managed server must not be public')
    const { right = 'own', lock } = options
    return requireManaged(db, actor, id, { right, lock })
  },
  async after(tx, done) {
    if (options.audit && (!done.value.isOwner || options.auditsOwner)) await auditAs('server', options.audit)(tx, done)
  },
})
