// SQL, because it locks the account. Removes access to an account other than its password and its sessions.
import type { Db } from '../../../platform/db/pool.ts'

export interface LockedAccount {
  passwordHash: string | null
  emailVerified: boolean
  hasChat: boolean
  hasGamePlatform: boolean
}

/**
 * Locks the account's row; everything that depends on it locks it first.
 * @returns undefined if the account was deleted
 */
export async function lockAccount(db: Db, userId: string): Promise<LockedAccount | undefined> {
  const { rows } = await db.query<LockedAccount>({
    name: 'accounts-lock-account',
    text: `
      select password_hash as "passwordHash", email_verified_at is not null as "emailVerified", chat_id is not null as "hasChat",
        game_platform_id is not null as "hasGamePlatform"
      from users
      where id = $1
      for update`,
    values: [userId],
  })
  return rows[0]
}

export async function deleteIdentities(db: Db, userId: string): Promise<void> {
  await db.query({
    name: 'accounts-delete-identities',
    text: 'update users set chat_id = null, game_platform_id = null, updated_at = now() where id = $1',
    values: [userId],
  })
}
