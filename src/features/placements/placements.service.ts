// What runs where, which servers are featured, and how a placement that was paid for begins and ends.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { notFound } from '../../platform/http/errors.ts'
import { noSuchServer, notifyDirectory } from '../directory/index.ts'
import type { Featured, FeaturedServers, Placements } from './placements.schema.ts'
import {
  endPlacement,
  findFeatured,
  findIsFeatured,
  findRunning,
  insertPlacement,
  isLocation,
  type PlacementRow,
  refreshFeatured,
  resumePlacement,
} from './placements.sql.ts'
import { lockSlot } from './slots.sql.ts'

export interface PlacementsService {
  /** All that run, or those of a location. @throws ApiError 404 for a location that no slot has */
  running(location?: string): Promise<z.input<typeof Placements>>
  featured(): Promise<z.input<typeof FeaturedServers>>
  /** @throws ApiError 404 */
  featuredState(serverId: string): Promise<z.input<typeof Featured>>
}

export function createPlacementsService({ pool, settings }: Pick<Deps, 'pool' | 'settings'>): PlacementsService {
  const requireVerified = settings.LISTING_REQUIRES_VERIFICATION
  const toPlacement = ({ website, startsAt, endsAt, ...row }: PlacementRow) => ({
    ...row,
    linkUrl: website || `${settings.PUBLIC_BASE_URL}/api/public/servers/${row.serverId}`,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  })

  return {
    async running(location) {
      if (location !== undefined && !(await isLocation(pool, location))) throw notFound('There is no such location.')
      const rows = await findRunning(pool, { requireVerified, location })
      return { placements: rows.map(toPlacement) }
    },
    featured: async () => ({ servers: await findFeatured(pool, requireVerified) }),
    async featuredState(serverId) {
      const isFeatured = isUuid(serverId) ? await findIsFeatured(pool, requireVerified, serverId) : undefined
      if (isFeatured === undefined) throw noSuchServer()
      const [running] = isFeatured ? await findRunning(pool, { requireVerified, serverId }) : []
      return { isFeatured, placement: running ? toPlacement(running) : null }
    },
  }
}

/** What was sold, as the auctions room knows it. */
export interface Sold {
  offerId: string
  slotId: string
  serverId: string
  days: number
}

/** Lets a placement that was paid for begin, in the caller's transaction; again is nothing, except that a won dispute resumes it. */
export async function startPlacement(tx: Db, sold: Sold): Promise<void> {
  await lockSlot(tx, sold.slotId) // the next free time of a slot goes to one at a time
  const began = await insertPlacement(tx, { id: uuidv7(), ...sold })
  if (!began && !(await resumePlacement(tx, sold.offerId))) return
  if (await refreshFeatured(tx, [sold.serverId])) await notifyDirectory(tx)
}

/** Ends what an offer had bought: its money went back. */
export async function stopPlacement(tx: Db, offerId: string, reason: 'refunded' | 'disputed'): Promise<void> {
  const serverId = await endPlacement(tx, offerId, reason)
  if (serverId && (await refreshFeatured(tx, [serverId]))) await notifyDirectory(tx)
}

/** Handler of `placement-turn`. */
export async function turnPlacements({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const servers = await inTransaction(pool, async (tx) => {
    const changed = await refreshFeatured(tx, null)
    if (changed) await notifyDirectory(tx)
    return changed
  })
  if (servers) log.info({ servers }, 'placements began or ended')
}
