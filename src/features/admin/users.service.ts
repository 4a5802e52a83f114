// What administrators do with accounts: ban, promote, grade and delete them; never their own.
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { offsetOf, paginationOf } from '../../platform/http/paging.ts'
import { lockAuctionsOf, recountAuctions } from '../auctions/index.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { notifyDirectory } from '../directory/index.ts'
import { cancelDeliveriesOf, dropWebhooksOf } from '../webhooks/index.ts'
import type { User, UserChange, Users, UsersQuery } from './users.schema.ts'
import {
  countUsers,
  deleteUser,
  findUser,
  findUsers,
  lockClaimsOf,
  lockUser,
  type NamedAdmins,
  releaseServersOf,
  type UserRow,
  type UserStanding,
  updateUser,
} from './users.sql.ts'

export interface UsersService {
  list(query: UsersQuery): Promise<z.input<typeof Users>>
  /** @throws ApiError 404; 400 `own_account`, `admin_by_setting` */
  change(actorId: string, id: string, change: UserChange): Promise<z.input<typeof User>>
  /** Their servers stay listed and are nobody's. @throws ApiError 404; 400 `own_account` */
  remove(actorId: string, id: string): Promise<void>
}

export const USER_CODES = ['own_account', 'admin_by_setting'] as const

const ownAccount = (what: string) => new ApiError(400, 'own_account', `You can’t ${what} yourself.`)

interface UsersOptions extends Pick<Deps, 'pool' | 'jobs'> {
  named: NamedAdmins
  endSessions(db: Db, userId: string): Promise<number>
  /** Brings what was written into this process' directory; a failure of it is not thrown. */
  show(): Promise<void>
}

export function createUsersService({ pool, jobs, named, endSessions, show }: UsersOptions): UsersService {
  async function withUser<T>(
    id: string,
    work: (tx: Db, user: { standing: UserStanding; isNamed: boolean }) => Promise<T>,
  ): Promise<T> {
    if (!isUuid(id)) throw noSuchUser()
    return inTransaction(pool, async (tx) => {
      const user = await lockUser(tx, named, id)
      if (!user) throw noSuchUser()
      return work(tx, user)
    })
  }

  return {
    async list({ page, limit, search, banned, admin }) {
      const filter = { search, banned, admin }
      const total = await countUsers(pool, named, filter)
      const rows = await findUsers(pool, named, filter, { limit, offset: offsetOf({ page, limit }) })
      return { users: rows.map(toUser), pagination: paginationOf({ page, limit }, total) }
    },

    async change(actorId, id, change) {
      if (id === actorId && change.banned) throw ownAccount('ban')
      if (id === actorId && change.isAdmin === false) throw ownAccount('demote')
      return withUser(id, async (tx, { standing: before, isNamed }) => {
        if (isNamed && change.isAdmin === false)
          throw new ApiError(400, 'admin_by_setting', 'The setting ADMIN_EMAILS makes this account an administrator.')
        const after = {
          banned: change.banned ?? before.banned,
          isAdmin: change.isAdmin ?? before.isAdmin,
          tier: change.tier ?? before.tier,
        }
        const changes = changesBetween(before, after)
        if (changes) {
          const isNewBan = after.banned && !before.banned
          const auctionIds = isNewBan ? await lockAuctionsOf(tx, id) : []
          await updateUser(tx, id, after)
          if (after.banned) await endSessions(tx, id)
          await recountAuctions(tx, jobs, auctionIds)
          if (after.banned !== before.banned) await cancelDeliveriesOf(tx, id)
          await recordAction(tx, { actorId, action: 'user.update', targetType: 'user', targetId: id, details: changes })
        }
        const row = await findUser(tx, named, id)
        if (!row) throw noSuchUser()
        return toUser(row)
      })
    },

    async remove(actorId, id) {
      if (id === actorId) throw ownAccount('delete')
      await withUser(id, async (tx, { standing: before }) => {
        const auctionIds = await lockAuctionsOf(tx, id)
        await lockClaimsOf(tx, id)
        await dropWebhooksOf(tx, id)
        const releasedServers = await releaseServersOf(tx, id)
        await deleteUser(tx, id)
        await recountAuctions(tx, jobs, auctionIds)
        const details = { before, releasedServers }
        await recordAction(tx, { actorId, action: 'user.delete', targetType: 'user', targetId: id, details })
        await notifyDirectory(tx)
      })
      await show()
    },
  }
}

const noSuchUser = () => notFound('There is no such user.')

const toUser = (row: UserRow): z.input<typeof User> => ({
  ...row,
  bannedAt: row.bannedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})
