// The rules of wipe history: everybody may read it, owners add to it, and polls find what servers tell.
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { notFound, validationFailed } from '../../platform/http/errors.ts'
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { offsetOf, type PageQuery, paginationOf } from '../../platform/http/paging.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { recordAction } from '../audit/index.ts'
import { type Directory, noSuchServer, notifyDirectory } from '../directory/index.ts'
import { lockManaged, requireManaged } from '../servers/index.ts'
import { recordWipe } from './recording.ts'
import { detectWipe } from './signs.ts'
import type { NewWipe, Wipe, Wipes } from './wipes.schema.ts'
import {
  countWipes,
  deleteWipe,
  exchangeSigns,
  findWipes,
  type Sighting,
  showLastWipe,
  type WipeRow,
} from './wipes.sql.ts'

/** Each may be told to every subscriber. */
export const WIPES_AN_HOUR = 30
const WIPES: LimitPolicy[] = [{ name: 'wipes', limit: WIPES_AN_HOUR, windowSeconds: 3600 }]
const MOST_YEARS = 10

export interface WipesService {
  /** @throws ApiError 404 for a server that is not listed, 503 while the directory is too old */
  list(serverId: string, query: PageQuery): Promise<z.input<typeof Wipes>>
  /**
   * @returns the wipe, and whether it is new
   * @throws ApiError 404; 403 for anybody but the owner and administrators; 400 for an instant in the future or ten years ago; 429
   */
  add(actor: Actor, serverId: string, wipe: NewWipe): Promise<{ wipe: z.input<typeof Wipe>; isNew: boolean }>
  /** @throws ApiError 404 for a server or a wipe that is not there; 403 for anybody but the owner and administrators */
  remove(actor: Actor, serverId: string, wipeId: string): Promise<void>
}

export interface WipesOptions extends Pick<Deps, 'pool' | 'jobs' | 'log'> {
  settings: Pick<Deps['settings'], 'JUST_WIPED_DAYS'>
  directory: Pick<Directory, 'shown' | 'refresh'>
  limits: Pick<Limits, 'take'>
}

export function createWipesService({ pool, jobs, log, settings, directory, limits }: WipesOptions): WipesService {
  const refresh = () =>
    directory.refresh().catch((err: unknown) => log.warn({ err }, 'a wipe is written but not shown yet'))

  return {
    async list(serverId, query) {
      directory.shown.find(serverId)
      const total = await countWipes(pool, serverId)
      const rows = await findWipes(pool, serverId, { limit: query.limit, offset: offsetOf(query) })
      return { wipes: rows.map(toWipe), pagination: paginationOf(query, total) }
    },

    async add(actor, serverId, { wipedAt: given, kind, note }) {
      await requireManaged(pool, actor, serverId)
      await limits.take({ key: actor.userId, policies: WIPES })
      const recorded = await inTransaction(pool, async (tx) => {
        const { isOwner } = await lockManaged(tx, actor, serverId)
        const now = await readClock(tx)
        const wipedAt = given ?? now
        requireSensible(wipedAt, now)
        const said = await recordWipe(
          tx,
          { jobs, justWipedDays: settings.JUST_WIPED_DAYS },
          { serverId, wipedAt, kind, by: { userId: actor.userId, note } },
        )
        if (!said) throw noSuchServer()
        if (!isOwner && said.isNew)
          await recordAction(tx, {
            actorId: actor.userId,
            action: 'server.wipe',
            targetType: 'server',
            targetId: serverId,
            details: { wipedAt: wipedAt.toISOString(), kind },
          })
        return said
      })
      await refresh()
      return { wipe: toWipe(recorded.wipe), isNew: recorded.isNew }
    },

    async remove(actor, serverId, wipeId) {
      await inTransaction(pool, async (tx) => {
        const { isOwner } = await lockManaged(tx, actor, serverId)
        const wipedAt = isUuid(wipeId) ? await deleteWipe(tx, serverId, wipeId) : undefined
        if (!wipedAt) throw notFound('There is no such wipe.')
        await showLastWipe(tx, serverId, wipedAt)
        await notifyDirectory(tx)
        if (!isOwner)
          await recordAction(tx, {
            actorId: actor.userId,
            action: 'server.wipe.remove',
            targetType: 'server',
            targetId: serverId,
            details: { wipedAt: wipedAt.toISOString() },
          })
      })
      await refresh()
    },
  }
}

function requireSensible(wipedAt: Date, now: Date): void {
  const earliest = new Date(now)
  earliest.setUTCFullYear(earliest.getUTCFullYear() - MOST_YEARS)
  const message =
    wipedAt > now
      ? 'must not be in the future'
      : wipedAt < earliest
        ? `must be in the last ${MOST_YEARS} years`
        : undefined
  if (message) throw validationFailed([{ path: 'body.wipedAt', message }])
}

const toWipe = ({ wipedAt, ...wipe }: WipeRow): z.input<typeof Wipe> => ({ ...wipe, wipedAt: wipedAt.toISOString() })

/**
 * Takes in what polled servers showed of their worlds, in the transaction that writes their results, and records the wipes that tells of.
 * One statement, unless there is a wipe. The first time a server is seen says nothing.
 * @param at when they were polled
 * @returns ids of the servers found wiped
 */
export async function noteSigns(
  tx: Db,
  options: { jobs: Pick<Jobs, 'enqueue'>; justWipedDays: number },
  sightings: readonly Sighting[],
  at: Date,
): Promise<string[]> {
  if (!sightings.length) return []
  // One order for everybody, so that two batches wait for each other instead of deadlocking.
  const ordered = [...sightings].sort((a, b) => (a.serverId < b.serverId ? -1 : 1))
  const before = await exchangeSigns(tx, ordered)
  const wiped: string[] = []
  for (const { serverId, signs } of ordered) {
    const seen = detectWipe(before.get(serverId), signs)
    if (!seen) continue
    const wipedAt = seen.wipedAt && seen.wipedAt < at ? seen.wipedAt : at
    const recorded = await recordWipe(tx, options, { serverId, wipedAt, kind: seen.kind })
    if (recorded?.isNew) wiped.push(serverId)
  }
  return wiped
}
