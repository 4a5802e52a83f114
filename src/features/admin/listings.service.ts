// What administrators do with listings: hide, hand over, vouch for, feature and remove them.
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { validationFailed } from '../../platform/http/errors.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { noSuchServer, notifyDirectory } from '../directory/index.ts'
import { refreshFeatured } from '../placements/index.ts'
import { deleteServer, setHidden } from '../servers/index.ts'
import { dropWebhook } from '../webhooks/index.ts'
import type { Listing, ListingChange, Listings, ListingsQuery } from './listings.schema.ts'
import {
  countListings,
  findListing,
  findListings,
  holdUser,
  type ListingRow,
  lockStanding,
  type Standing,
  updateStanding,
} from './listings.sql.ts'

export interface ListingsService {
  list(query: ListingsQuery): Promise<z.input<typeof Listings>>
  /** Leaves fields that are not given as they are. @throws ApiError 404; 400 for an owner who has no account */
  change(actorId: string, id: string, change: ListingChange): Promise<z.input<typeof Listing>>
  /** @throws ApiError 404 */
  remove(actorId: string, id: string): Promise<void>
}

/** @param options.show brings what was written into this process' directory; a failure of it is not thrown */
export function createListingsService({ pool, show }: Pick<Deps, 'pool'> & { show(): Promise<void> }): ListingsService {
  /** Runs `work` on a listing that stays as it is meanwhile. */
  async function withListing<T>(id: string, work: (tx: Db, standing: Standing) => Promise<T>): Promise<T> {
    if (!isUuid(id)) throw noSuchServer()
    const result = await inTransaction(pool, async (tx) => {
      const standing = await lockStanding(tx, id)
      if (!standing) throw noSuchServer()
      const done = await work(tx, standing)
      await notifyDirectory(tx)
      return done
    })
    await show()
    return result
  }

  return {
    async list({ page, limit, search, owner, hidden, verified, online }) {
      const filter = { search, owner, hidden, verified, online }
      const total = await countListings(pool, filter)
      const rows = await findListings(pool, filter, { limit, offset: offsetOf({ page, limit }) })
      return { servers: rows.map(toListing), pagination: paginationOf({ page, limit }, total) }
    },

    change: (actorId, id, change) =>
      withListing(id, async (tx, before) => {
        const after = changed(before, change)
        const changes = changesBetween(before, after)
        if (changes) {
          if (after.ownerId !== null && !(await holdUser(tx, after.ownerId)))
            throw validationFailed([{ path: 'body.ownerId', message: 'there is no such account' }])
          if (after.ownerId !== before.ownerId) await dropWebhook(tx, id)
          await updateStanding(tx, id, after)
          await setHidden(tx, id, after.hidden)
          await refreshFeatured(tx, [id])
          await recordAction(tx, {
            actorId,
            action: 'server.update',
            targetType: 'server',
            targetId: id,
            details: changes,
          })
        }
        const row = await findListing(tx, id)
        if (!row) throw new Error(`server ${id} lacks one of its rows`)
        return toListing(row)
      }),

    remove: (actorId, id) =>
      withListing(id, async (tx, before) => {
        await deleteServer(tx, id)
        await recordAction(tx, {
          actorId,
          action: 'server.delete',
          targetType: 'server',
          targetId: id,
          details: { before },
        })
      }),
  }
}

/** A proof is its owner's: with another owner it counts no more, unless the administrator vouches for him. */
function changed(before: Standing, { hidden, ownerId, isVerified, isFeatured }: ListingChange): Standing {
  const owner = ownerId === undefined ? before.ownerId : (ownerId?.toLowerCase() ?? null)
  return {
    hidden: hidden ?? before.hidden,
    ownerId: owner,
    isVerified: isVerified ?? (owner === before.ownerId && before.isVerified),
    isFeatured: isFeatured ?? before.isFeatured,
  }
}

function toListing(row: ListingRow): z.input<typeof Listing> {
  return {
    ...row,
    hiddenAt: row.hiddenAt?.toISOString() ?? null,
    lastPolledAt: row.lastPolledAt?.toISOString() ?? null,
    lastOnlineAt: row.lastOnlineAt?.toISOString() ?? null,
    nextPollAt: row.nextPollAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
