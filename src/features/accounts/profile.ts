// A user's profile, as the user sees it.
import type { ProcessSettings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { UserProfile } from './accounts.schema.ts'
import { isAdministrator } from './administrators.ts'
import { findUser, type UserRow } from './users.store.ts'

/** @throws ApiError 401 unauthenticated if the account was deleted */
export async function requireUser(db: Db, userId: string): Promise<UserRow> {
  const user = await findUser(db, userId)
  if (!user) throw new ApiError(401, 'unauthenticated', 'This account was deleted.')
  return user
}

/** @throws ApiError 401 unauthenticated if the account was deleted */
export async function findProfile(
  db: Db,
  settings: Pick<ProcessSettings, 'ADMIN_EMAILS' | 'NODE_ENV'>,
  userId: string,
): Promise<UserProfile> {
  const user = await requireUser(db, userId)
  const { id, email, username, avatarUrl, gamePlatformId, chatId, createdAt, ownedServers, votes } = user
  return {
    id,
    email: email ?? '',
    username,
    avatarUrl,
    gamePlatformId: gamePlatformId ?? '',
    chatId: chatId ?? '',
    isAdmin: isAdministrator(user, settings),
    createdAt,
    _count: { ownedServers, votes },
  }
}
