// What owners do with their servers: list, change and remove them, and see which they have.
import { isIPv4 } from 'node:net'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { offsetOf, type PageQuery, paginationOf } from '../../platform/http/paging.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { startClaim } from '../claims/index.ts'
import { type Directory, notifyDirectory } from '../directory/index.ts'
import { mayBeAsked } from './address.ts'
import type { CreatedServer, CreateServer, OwnedServers, UpdatedServer, UpdateServer } from './management.schema.ts'
import { countOwned, type DetailRow, findDetail, findOwned, lockOwner, updateListing } from './management.sql.ts'
import { lockManaged } from './ownership.ts'
import { addressOf, alreadyListed, defaultGameOf, toRow } from './servers.service.ts'
import { deleteServer, findListedAt, insertServers } from './servers.sql.ts'

export interface ManagementService {
  /**
   * Lists a server as the user's, unproven, and starts the claim by which it is proven.
   * @throws ApiError 400 `validation_failed`, `already_listed` or `too_many_listings`
   */
  create(actor: Actor, given: CreateServer): Promise<z.input<typeof CreatedServer>>
  /** @throws ApiError 404, 403 for anybody but the owner and administrators; so does `remove` */
  update(actor: Actor, id: string, changes: UpdateServer): Promise<z.input<typeof UpdatedServer>>
  remove(actor: Actor, id: string): Promise<void>
  owned(userId: string, query: PageQuery): Promise<z.input<typeof OwnedServers>>
}

export interface ManagementOptions extends Pick<Deps, 'pool' | 'log'> {
  settings: Pick<Deps['settings'], 'DEFAULT_GAME' | 'ALLOW_PRIVATE_TARGETS' | 'LISTINGS_PER_ACCOUNT'>
  directory: Pick<Directory, 'refresh'>
}

export function createManagementService({ pool, log, settings, directory }: ManagementOptions): ManagementService {
  const defaultGame = defaultGameOf(settings)

  /** Shows a write in this process' directory before its reply leaves. The write stands, whether that succeeds or not. */
  async function show(): Promise<void> {
    await directory.refresh().catch((err: unknown) => log.warn({ err }, 'a change is written but not shown yet'))
  }

  /** Runs `work` on a listing the actor may change; an administrator's change to another's listing is recorded. */
  async function change<T>(actor: Actor, id: string, action: string, work: (db: Db) => Promise<T>): Promise<T> {
    const result = await inTransaction(pool, async (tx) => {
      const { isOwner } = await lockManaged(tx, actor, id)
      const before = isOwner ? undefined : editedOf(await findDetail(tx, id))
      const done = await work(tx)
      const details = before && changesBetween(before, editedOf(await findDetail(tx, id)))
      if (!isOwner)
        await recordAction(tx, {
          actorId: actor.userId,
          action,
          targetType: 'server',
          targetId: id,
          details: details ?? {},
        })
      await notifyDirectory(tx)
      return done
    })
    await show()
    return result
  }

  async function requireRoom(tx: Db, userId: string): Promise<void> {
    const most = settings.LISTINGS_PER_ACCOUNT
    if (most === 0) return
    await lockOwner(tx, userId)
    if ((await countOwned(tx, userId)) >= most)
      throw new ApiError(400, 'too_many_listings', `Your account may have at most ${most} servers listed.`)
  }

  return {
    async create(actor, given) {
      const { userId } = actor
      const { ipAddress } = given
      if (isIPv4(ipAddress) && !mayBeAsked(ipAddress, settings.ALLOW_PRIVATE_TARGETS))
        throw validationFailed([{ path: 'body.ipAddress', message: 'must be a public address' }])
      const row = toRow(withoutUndefined(given), defaultGame)
      if (row instanceof ApiError) throw row
      const claim = await inTransaction(pool, async (tx) => {
        if (!actor.isAdmin) await requireRoom(tx, userId)
        const inserted = await insertServers(tx, [{ ...row, ownerId: userId }])
        if (!inserted.size) return undefined
        await notifyDirectory(tx)
        return startClaim(tx, { serverId: row.id, userId })
      })
      if (!claim) {
        const { status, code, message } = alreadyListed(row, (await findListedAt(pool, [row])).get(addressOf(row)))
        throw new ApiError(status, code, message) // its fields are the operator's command's: a reply names the id in the message
      }
      await show()
      const { verificationToken, message } = claim
      return { server: { id: row.id, name: row.name }, verificationToken, message }
    },

    update: (actor, id, changes) =>
      change(actor, id, 'server.update', async (tx) => {
        if (Object.values(changes).some((value) => value !== undefined)) await updateListing(tx, id, changes)
        return toDetail(await findDetail(tx, id))
      }),

    async remove(actor, id) {
      await change(actor, id, 'server.delete', (tx) => deleteServer(tx, id))
    },

    async owned(userId, query) {
      const total = await countOwned(pool, userId)
      const servers = await findOwned(pool, userId, { limit: query.limit, offset: offsetOf(query) })
      return { servers, pagination: paginationOf(query, total) }
    },
  }
}

/** What owners edit, as the audit log keeps it. */
const editedOf = ({ name, description, gameMode, website, chatUrl, bannerUrl, rates, mods }: DetailRow) => ({
  name,
  description,
  gameMode,
  website,
  chatUrl,
  bannerUrl,
  rates,
  mods,
})

/** What was left out takes its default from the listing's own schema. */
function withoutUndefined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}

function toDetail(row: DetailRow): z.input<typeof UpdatedServer> {
  const { createdAt, updatedAt, lastWipeAt, lastPolledAt, ...shown } = row
  return {
    ...shown,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    lastWipeAt: lastWipeAt?.toISOString() ?? null,
    lastPolledAt: lastPolledAt?.toISOString() ?? null,
  }
}
