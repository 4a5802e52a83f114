// Statements on users.
import type { Db } from '../../platform/db/pool.ts'

export interface UserRow {
  id: string
  email: string | null
  emailVerified: boolean
  username: string
  avatarUrl: string
  gamePlatformId: string | null
  chatId: string | null
  isAdmin: boolean
  createdAt: Date
  ownedServers: number
  votes: number
}

export interface Credential {
  id: string
  email: string | null
  username: string
  passwordHash: string | null
  isBanned: boolean
}

/** @returns false when the address belongs to somebody already */
export async function insertUser(
  db: Db,
  user: { id: string; email: string; username: string; passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-insert-user',
    text: `
      insert into users (id, email, username, password_hash) values ($1, $2, $3, $4)
      on conflict (email) do nothing`,
    values: [user.id, user.email, user.username, user.passwordHash],
  })
  return rowCount === 1
}

/** What the profile shows. Votes are those the user's listed servers have received. */
export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  const { rows } = await db.query<UserRow>({
    name: 'accounts-find-user',
    text: `
      select id, email, email_verified_at is not null as "emailVerified", username, avatar_url as "avatarUrl",
        game_platform_id as "gamePlatformId", chat_id as "chatId", is_admin as "isAdmin", created_at as "createdAt",
        owned.servers as "ownedServers", owned.votes
      from users, lateral (
        select count(*) as servers, coalesce(sum(total_votes), 0)::bigint as votes
        from servers
        join server_counters on server_id = servers.id
        where owner_id = users.id and deleted_at is null) as owned
      where id = $1`,
    values: [id],
  })
  return rows[0]
}

const CREDENTIAL = `id, email, username, password_hash as "passwordHash", banned_at is not null as "isBanned"`

export async function findCredentialByEmail(db: Db, email: string): Promise<Credential | undefined> {
  const { rows } = await db.query<Credential>({
    name: 'accounts-find-credential-by-email',
    text: `select ${CREDENTIAL} from users where email = $1`,
    values: [email],
  })
  return rows[0]
}

export async function findCredential(db: Db, id: string): Promise<Credential | undefined> {
  const { rows } = await db.query<Credential>({
    name: 'accounts-find-credential',
    text: `select ${CREDENTIAL} from users where id = $1`,
    values: [id],
  })
  return rows[0]
}

/**
 * @param expected the hash that was checked before; another by now means that somebody else was faster
 * @returns whether it was changed
 */
export async function updatePassword(
  db: Db,
  { id, expected, passwordHash }: { id: string; expected: string | null; passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-update-password',
    text: `
      update users set password_hash = $3, updated_at = now()
      where id = $1 and password_hash is not distinct from $2 and banned_at is null`,
    values: [id, expected, passwordHash],
  })
  return rowCount === 1
}

/** Fields left undefined stay. */
export async function updateProfile(
  db: Db,
  id: string,
  change: { username?: string | undefined; avatarUrl?: string | undefined },
): Promise<void> {
  await db.query({
    name: 'accounts-update-profile',
    text: `
      update users set username = coalesce($2, username), avatar_url = coalesce($3, avatar_url), updated_at = now()
      where id = $1`,
    values: [id, change.username ?? null, change.avatarUrl ?? null],
  })
}

/** @returns what is stored: a part of the preferences, the rest being the defaults */
export async function findPreferences(db: Db, id: string): Promise<object> {
  const { rows } = await db.query<{ preferences: object }>({
    name: 'accounts-find-preferences',
    text: 'select notification_preferences as preferences from users where id = $1',
    values: [id],
  })
  return rows[0]?.preferences ?? {}
}

/** Lays a change over what is stored, in `events` too. @returns what is stored then */
export async function mergePreferences(db: Db, id: string, ways: object, events: object): Promise<object> {
  const { rows } = await db.query<{ preferences: object }>({
    name: 'accounts-merge-preferences',
    text: `
      update users set updated_at = now(), notification_preferences = notification_preferences || $2::jsonb
        || jsonb_build_object('events', coalesce(notification_preferences -> 'events', '{}') || $3::jsonb)
      where id = $1
      returning notification_preferences as preferences`,
    values: [id, ways, events],
  })
  return rows[0]?.preferences ?? {}
}

/** @returns false when the user's address or password is another by now */
export async function verifyEmail(
  db: Db,
  { id, email, passwordHash }: { id: string; email: string; passwordHash: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-verify-email',
    text: `
      update users set email_verified_at = coalesce(email_verified_at, now()), updated_at = now()
      where id = $1 and email = $2 and password_hash is not distinct from $3`,
    values: [id, email, passwordHash],
  })
  return rowCount === 1
}

export async function findMailUser(
  db: Db,
  id: string,
): Promise<{ id: string; email: string | null; emailVerified: boolean; isBanned: boolean } | undefined> {
  const { rows } = await db.query<{ id: string; email: string | null; emailVerified: boolean; isBanned: boolean }>({
    name: 'accounts-find-mail-user',
    text: `
      select id, email, email_verified_at is not null as "emailVerified", banned_at is not null as "isBanned"
      from users where id = $1`,
    values: [id],
  })
  return rows[0]
}
