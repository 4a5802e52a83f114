// SQL, because single statements decide that a code counts once. Secrets are encrypted, recovery codes are hashed.
import type { Db } from '../../../platform/db/pool.ts'

/** A secret that no code confirms within this time is not set up. */
const SETUP = `interval '1 hour'`

/** Replaces a secret that was not confirmed. @returns false if there is a confirmed one */
export async function putPendingSecret(db: Db, userId: string, secret: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-put-pending-secret',
    text: `
      insert into one_time_code_secrets (user_id, secret) values ($1, $2)
      on conflict (user_id) do update set secret = excluded.secret, created_at = now()
      where one_time_code_secrets.confirmed_at is null`,
    values: [userId, secret],
  })
  return rowCount === 1
}

/** @returns the encrypted secret; undefined if there is none */
export async function findSecret(db: Db, userId: string, state: 'confirmed' | 'pending'): Promise<string | undefined> {
  const { rows } = await db.query<{ secret: string }>({
    name: `accounts-find-${state}-secret`,
    text: `
      select secret from one_time_code_secrets
      where user_id = $1 and ${state === 'confirmed' ? 'confirmed_at is not null' : `confirmed_at is null and created_at > now() - ${SETUP}`}`,
    values: [userId],
  })
  return rows[0]?.secret
}

/** @returns false if the secret was replaced, confirmed or removed in the meantime */
export async function confirmSecret(db: Db, userId: string, { secret, step }: { secret: string; step: number }) {
  const { rowCount } = await db.query({
    name: 'accounts-confirm-secret',
    text: `
      update one_time_code_secrets set confirmed_at = now(), last_step = $3
      where user_id = $1 and secret = $2 and confirmed_at is null`,
    values: [userId, secret, step],
  })
  return rowCount === 1
}

/** @returns false if the code of this time, or of a later one, was accepted before */
export async function useStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-use-step',
    text: `
      update one_time_code_secrets set last_step = $2
      where user_id = $1 and confirmed_at is not null and last_step < $2`,
    values: [userId, step],
  })
  return rowCount === 1
}

export async function deleteSecret({ prisma }: Db, userId: string): Promise<boolean> {
  const { count } = await prisma.oneTimeCodeSecret.deleteMany({ where: { userId, confirmedAt: { not: null } } })
  return count === 1
}

/** The account has these recovery codes and no others. */
export async function replaceRecoveryCodes(db: Db, userId: string, codeHashes: Buffer[]): Promise<void> {
  await db.query({
    name: 'accounts-delete-recovery-codes',
    text: 'delete from recovery_codes where user_id = $1',
    values: [userId],
  })
  await db.query({
    name: 'accounts-insert-recovery-codes',
    text: 'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])',
    values: [userId, codeHashes],
  })
}

/** @returns false if it is no code of the account or was used before; of parallel calls, one gets true */
export async function useRecoveryCode(db: Db, userId: string, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'accounts-use-recovery-code',
    text: 'update recovery_codes set used_at = now() where user_id = $1 and code_hash = $2 and used_at is null',
    values: [userId, codeHash],
  })
  return rowCount === 1
}

export const countRecoveryCodes = ({ prisma }: Db, userId: string): Promise<number> =>
  prisma.recoveryCode.count({ where: { userId, usedAt: null } })
