// SQL, because single statements decide which of parallel requests may use a challenge or raise a counter.

import { namedParameters } from '../../../platform/db/named-parameters.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/hash-token.ts'

/** A passkey as it is checked. */
export interface StoredPasskey {
  id: string
  credentialId: Buffer
  publicKey: Buffer
  transports: string[]
}

export interface ChallengeSubject {
  userId: string
  /** Hash of the token of the session, or of the login that waits for its second step. */
  boundTo: Buffer
  purpose: 'add' | 'confirm' | 'login'
}

/** Replaces an earlier challenge of the same session and purpose. */
export async function putChallenge(
  db: Db,
  subject: ChallengeSubject,
  challenge: string,
  seconds: number,
): Promise<void> {
  await db.query({
    name: 'accounts-put-challenge',
    text: `
      insert into passkey_challenges (bound_to, purpose, user_id, challenge_hash, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(secs => $5))
      on conflict (bound_to, purpose) do update
      set user_id = excluded.user_id, challenge_hash = excluded.challenge_hash, expires_at = excluded.expires_at`,
    values: [subject.boundTo, subject.purpose, subject.userId, hashToken(challenge), seconds],
  })
}

/** @returns false if it is another one, was used or has expired; of parallel calls, one gets true */
export async function deleteChallenge(db: Db, subject: ChallengeSubject, challenge: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-delete-challenge',
    text: `
      delete from passkey_challenges
      where bound_to = $1 and purpose = $2 and user_id = $3 and challenge_hash = $4 and expires_at > now()`,
    values: [subject.boundTo, subject.purpose, subject.userId, hashToken(challenge)],
  })
  return rowCount === 1
}

/** All of an account, oldest first. */
export async function findPasskeys(db: Db, userId: string) {
  const { rows } = await db.query<
    StoredPasskey & { name: string; createdAt: Date; lastUsedAt: Date | null; isDisabled: boolean }
  >({
    name: 'accounts-find-passkeys',
    text: `
      select id, credential_id as "credentialId", public_key as "publicKey", transports, name, created_at as "createdAt",
        last_used_at as "lastUsedAt", disabled_at is not null as "isDisabled"
      from passkeys
      where user_id = $1
      order by id`,
    values: [userId],
  })
  return rows
}

interface NewPasskeyRow extends StoredPasskey {
  userId: string
  name: string
  counter: number
}

/** @returns false if a passkey with this credential is stored already, of any account */
export async function insertPasskey(
  db: Db,
  { id, userId, credentialId, publicKey, counter, transports, name }: NewPasskeyRow,
): Promise<boolean> {
  const { rowCount } = await db.query(
    namedParameters({
      name: 'accounts-insert-passkey',
      text: `
        insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
        values ($id, $userId, $credentialId, $publicKey, $counter, $transports, $name)
        on conflict (credential_id) do nothing`,
      values: { id, userId, credentialId, publicKey, counter, transports, name },
    }),
  )
  return rowCount === 1
}

/**
 * Stores the counter of a valid signature. Both 0: the authenticator counts nothing.
 * @returns false if it is not higher than the last one, or the passkey is disabled
 */
export async function raiseCounter(db: Db, id: string, counter: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-raise-counter',
    text: `
      update passkeys set counter = $2, last_used_at = now()
      where id = $1 and disabled_at is null and ($2 > counter or ($2 = 0 and counter = 0))`,
    values: [id, counter],
  })
  return rowCount === 1
}

/** @returns false if it was disabled before */
export async function disablePasskey(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-disable-passkey',
    text: 'update passkeys set disabled_at = now() where id = $1 and disabled_at is null',
    values: [id],
  })
  return rowCount === 1
}

export async function renamePasskey(db: Db, key: { id: string; userId: string }, name: string): Promise<boolean> {
  const { count } = await db.prisma.passkey.updateMany({ where: key, data: { name } })
  return count === 1
}

export async function deletePasskey(db: Db, key: { id: string; userId: string }): Promise<boolean> {
  const { count } = await db.prisma.passkey.deleteMany({ where: key })
  return count === 1
}
