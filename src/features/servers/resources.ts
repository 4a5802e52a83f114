// Servers as the resources of operations: what `{id}` in a path names, who may use it, and which lock is taken.
import * as z from 'zod'
import type { Db } from '../../platform/db/pool.ts'
import { idParam, type Resource } from '../../platform/http/operation.ts'
import { recordAction } from '../audit/index.ts'
import { listedIn, noSuchServer } from '../directory/index.ts'
import { lockManaged, type ManagedBy, requireManaged } from './ownership.ts'

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

export interface ManagedServer extends ManagedBy {
  id: string
}

/**
 * A server for its owner and for administrators: 404 if it does not exist or was removed, 403 for other users.
 * @param options.lock `update`: it cannot change owners or be removed until the transaction ends
 * @param options.audit action of the audit entry that an administrator's use of another's server gets
 */
export const managedServer = (
  options: { lock?: 'update'; audit?: string } = {},
): Resource<'server', ManagedServer> => ({
  name: 'server',
  params: ServerIdParams,
  errors: [403, 404],
  async load(db: Db, id, actor) {
    if (!actor) throw new Error('an operation on a managed server must not be public')
    const check = options.lock ? lockManaged : requireManaged
    return { id, ...(await check(db, actor, id)) }
  },
  async after(tx, { id, value, actor, details }) {
    if (!options.audit || !details || value.isOwner || !actor) return
    const entry = { actorId: actor.userId, targetType: 'server', targetId: id } as const
    await recordAction(tx, { ...entry, action: options.audit, details })
  },
})
