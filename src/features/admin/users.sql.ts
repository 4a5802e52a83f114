// SQL, because of locks, counts in subqueries and searches by `strpos`: Prisma's `contains` treats % and _ as
// wildcards.
import type * as z from 'zod'
import { foldSql } from '../../platform/db/fold-sql.ts'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { fold } from '../../platform/fold-text.ts'
import { paginate } from '../../platform/http/paging.ts'
import type { AdminSettings } from '../accounts/index.ts'
import type { User, UsersQuery } from './admin.schema.ts'

/** Whether ADMIN_EMAILS makes the user an administrator: the rule of accounts' `isAdministrator`. */
const IS_NAMED = `coalesce(
  email = any($adminEmails::text[]) and ($allowsUnverified::boolean or email_verified_at is not null), false)`
export const IS_ADMIN = `(is_admin or ${IS_NAMED})`
/** The parameters of IS_NAMED and IS_ADMIN. */
export const namedAdmins = ({ ADMIN_EMAILS, NODE_ENV }: AdminSettings) => ({
  adminEmails: ADMIN_EMAILS,
  allowsUnverified: NODE_ENV !== 'production',
})

type UserRow = z.output<typeof User>

// Counted in the select list, so only for the rows of the page.
const USER = `id, coalesce(email, '') as email, email_verified_at is not null as "emailVerified", username,
  avatar_url as "avatarUrl", coalesce(game_platform_id, '') as "gamePlatformId", coalesce(chat_id, '') as "chatId",
  ${IS_ADMIN} as "isAdmin", is_moderator as "isModerator", tier, banned_at as "bannedAt", created_at as "createdAt",
  (select count(*) from sessions where user_id = users.id and expires_at > now()) as sessions,
  (select count(*) from api_keys where user_id = users.id and revoked_at is null) as "apiKeys",
  (select count(*) from servers where owner_id = users.id and deleted_at is null) as "ownedServers"`

const MATCHES = `($search = '' or strpos(${foldSql('username')}, $search) > 0 or strpos(email, $search) > 0
    or id::text = $search)
  and ($banned::boolean is null or (banned_at is not null) = $banned)
  and ($admin::boolean is null or ${IS_ADMIN} = $admin)
  and ($moderator::boolean is null or is_moderator = $moderator)`

/** A page, newest first. */
export function findUsers(db: Db, settings: AdminSettings, query: z.output<typeof UsersQuery>) {
  const { search, banned, admin, moderator } = query
  const matching = { ...namedAdmins(settings), search: fold(search), banned, admin, moderator }
  return paginate('users', query, {
    async count() {
      const { rows } = await db.query<{ count: number }>(
        namedParameters({ text: `select count(*) from users where ${MATCHES}`, values: matching }),
      )
      return rows[0]?.count ?? 0
    },
    async find({ limit, offset }) {
      const { rows } = await db.query<UserRow>(
        namedParameters({
          text: `select ${USER} from users where ${MATCHES} order by id desc limit $limit offset $offset`,
          values: { ...matching, limit, offset },
        }),
      )
      return rows
    },
  })
}

export async function findUser(db: Db, settings: AdminSettings, id: string): Promise<UserRow> {
  const { rows } = await db.query<UserRow>(
    namedParameters({
      text: `select ${USER} from users where id = $id`,
      values: { ...namedAdmins(settings), id },
    }),
  )
  const [row] = rows
  if (!row) throw new Error('a locked user is missing')
  return row
}

/** What administrators change in an account. */
export interface UserModeration {
  banned: boolean
  isAdmin: boolean
  isModerator: boolean
  tier: string
}

interface LockedUser {
  before: UserModeration
  /** An administrator by ADMIN_EMAILS, regardless of `isAdmin`. */
  isNamed: boolean
}

/**
 * Locks an account until the transaction ends, so that no session is created in the meantime, and that of the
 * administrator who acts: of two who remove each other's rights, one acts. In id order, to avoid deadlocks.
 * @returns `user`: undefined if there is none; `isActorAdmin`: whether the actor still is an administrator
 */
export async function lockUserForModeration(
  db: Db,
  settings: AdminSettings,
  { id, actorId }: { id: string; actorId: string },
): Promise<{ user: LockedUser | undefined; isActorAdmin: boolean }> {
  const { rows } = await db.query<UserModeration & { id: string; isNamed: boolean }>(
    namedParameters({
      text: `
        select id, banned_at is not null as banned, is_admin as "isAdmin", is_moderator as "isModerator", tier,
          ${IS_NAMED} as "isNamed"
        from users where id in ($id, $actorId) order by id for no key update`,
      values: { ...namedAdmins(settings), id, actorId },
    }),
  )
  const actor = rows.find((row) => row.id === actorId)
  const isActorAdmin = actor !== undefined && !actor.banned && (actor.isAdmin || actor.isNamed)
  const found = rows.find((row) => row.id === id)
  if (!found) return { user: undefined, isActorAdmin }
  const { id: _id, isNamed, ...before } = found
  return { user: { before, isNamed }, isActorAdmin }
}

/** An existing ban keeps its start time. */
export async function updateUserModeration(
  db: Db,
  id: string,
  { banned, isAdmin, isModerator, tier }: UserModeration,
): Promise<void> {
  await db.query(
    `update users set banned_at = case when $2 then coalesce(banned_at, now()) end, is_admin = $3, tier = $4,
       is_moderator = $5, updated_at = now()
     where id = $1`,
    [id, banned, isAdmin, tier, isModerator],
  )
}
