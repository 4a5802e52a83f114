// What the removal of a server does in every feature: for its owner, an administrator, an opt-out and the command.
import { validate as isUuid } from 'uuid'
import { type Db, inTransaction, type Pool } from '../../platform/db/pool.ts'
import { deleteServer, notifyDirectory } from '../servers/index.ts'
import { deleteEndpointsOfServer } from '../webhooks/index.ts'

/**
 * Removes a listed server, its webhook endpoints, and what waits to be sent to them.
 * @param options.byOwner see `deleteServer`
 * @returns false if it is not listed
 */
export async function removeServer(tx: Db, id: string, options: { byOwner?: boolean } = {}): Promise<boolean> {
  // The server is locked before its endpoints, as by every change of a server.
  const isRemoved = await deleteServer(tx, id, options)
  if (isRemoved) await deleteEndpointsOfServer(tx, id)
  return isRemoved
}

/**
 * The same in a transaction of its own, with the notification that an operation of the API sends by itself.
 * @param id any text
 * @returns false if no listed server has the id
 */
export async function removeServerAndNotify(pool: Pool, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  return inTransaction(pool, async (tx) => {
    const isRemoved = await removeServer(tx, id)
    if (isRemoved) await notifyDirectory(tx)
    return isRemoved
  })
}
