// The stored profile and notification preferences.
import type * as z from 'zod'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { PreferencesChange, ProfileChange, UserProfile } from './accounts.schema.ts'
import { type AdminSettings, isAdministrator } from './administrators.ts'

interface StoredUser extends UserProfile {
  emailVerified: boolean
  isModerator: boolean
}

/**
 * A user as stored; `isAdmin` does not consider ADMIN_EMAILS. SQL, because it counts servers and sums their votes.
 * @throws ApiError 401 unauthenticated if the account was deleted
 */
export async function requireUser(db: Db, userId: string): Promise<StoredUser> {
  const { rows } = await db.query<StoredUser>({
    name: 'accounts-find-user',
    text: `
      select id, coalesce(email, '') as email, email_verified_at is not null as "emailVerified", username,
        avatar_url as "avatarUrl", coalesce(game_platform_id, '') as "gamePlatformId", coalesce(chat_id, '') as "chatId",
        is_admin as "isAdmin", is_moderator as "isModerator", created_at as "createdAt", to_json(owned) as "_count"
      from users, lateral (
        select count(*) as "ownedServers", coalesce(sum(total_votes - voided_votes), 0)::bigint as votes
        from servers
        join server_counters on server_id = servers.id
        where owner_id = users.id and deleted_at is null) as owned
      where id = $1`,
    values: [userId],
  })
  const [user] = rows
  if (!user) throw new ApiError(401, 'unauthenticated', 'This account was deleted.')
  return user
}

/** The profile as the user sees it. @throws ApiError 401 unauthenticated if the account was deleted */
export async function findProfile(db: Db, settings: AdminSettings, userId: string): Promise<UserProfile> {
  const { emailVerified, isModerator: _isModerator, ...profile } = await requireUser(db, userId)
  return { ...profile, isAdmin: isAdministrator({ ...profile, emailVerified }, settings) }
}

/** Absent fields stay unchanged. */
export async function updateProfile({ prisma }: Db, id: string, change: z.output<typeof ProfileChange>): Promise<void> {
  await prisma.user.updateMany({ where: { id }, data: { ...withoutUndefined(change), updatedAt: new Date() } })
}

/** @returns the stored preferences: only those that the user has changed */
export async function findPreferences({ prisma }: Db, id: string): Promise<object> {
  const user = await prisma.user.findUnique({ where: { id }, select: { notificationPreferences: true } })
  return (user?.notificationPreferences ?? {}) as Prisma.JsonObject
}

/**
 * Absent preferences stay unchanged. SQL, so that parallel changes of different preferences are all kept.
 * @returns the result
 */
export async function mergePreferences(
  db: Db,
  id: string,
  { events = {}, ...channels }: z.output<typeof PreferencesChange>,
): Promise<object> {
  const { rows } = await db.query<{ preferences: object }>(
    `update users set updated_at = now(), notification_preferences = notification_preferences || $2::jsonb
       || jsonb_build_object('events', coalesce(notification_preferences -> 'events', '{}') || $3::jsonb)
     where id = $1
     returning notification_preferences as preferences`,
    [id, channels, events],
  )
  return rows[0]?.preferences ?? {}
}
