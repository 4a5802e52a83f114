// Subscriptions that buy nothing: duplicates, which began while an earlier one of the same account was active, and
// those that were paid after the account was deleted. SQL where age or a set decides.
import type { DuplicateSubscription } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'

/** `userId` is null if the account was deleted, `keptSubscriptionId` if that was before this one was paid. */
export type DuplicateRow = Pick<DuplicateSubscription, 'subscriptionId' | 'keptSubscriptionId' | 'userId'>

/** Records a duplicate; one that is recorded already stays as it is. */
export async function insertDuplicate(db: Db, row: DuplicateRow): Promise<void> {
  await db.query(
    `insert into duplicate_subscriptions (subscription_id, kept_subscription_id, user_id) values ($1, $2, $3)
     on conflict (subscription_id) do nothing`,
    [row.subscriptionId, row.keptSubscriptionId, row.userId],
  )
}

/** Deletes a duplicate that was not resolved: it is no longer one. */
export async function deleteDuplicate({ prisma }: Db, subscriptionId: string): Promise<void> {
  await prisma.duplicateSubscription.deleteMany({ where: { subscriptionId, resolvedAt: null } })
}

/** A recorded duplicate, resolved or not. */
export const findDuplicate = ({ prisma }: Db, subscriptionId: string): Promise<DuplicateRow | null> =>
  prisma.duplicateSubscription.findUnique({
    where: { subscriptionId },
    select: { subscriptionId: true, keptSubscriptionId: true, userId: true },
  })

export const isDuplicate = async (db: Db, subscriptionId: string): Promise<boolean> =>
  (await findDuplicate(db, subscriptionId)) !== null

/** Duplicates of a user that are not canceled and refunded yet. */
export const findDuplicatesOf = ({ prisma }: Db, userId: string): Promise<DuplicateRow[]> =>
  prisma.duplicateSubscription.findMany({
    where: { userId, resolvedAt: null },
    select: { subscriptionId: true, keptSubscriptionId: true, userId: true },
    orderBy: { foundAt: 'asc' },
  })

/** Duplicates whose job was lost or failed; oldest first. */
export async function findLostDuplicates(db: Db, limit: number): Promise<DuplicateRow[]> {
  const { rows } = await db.query<DuplicateRow>(
    `select subscription_id as "subscriptionId", kept_subscription_id as "keptSubscriptionId", user_id as "userId"
     from duplicate_subscriptions
     where resolved_at is null and found_at < now() - interval '10 minutes'
     order by found_at
     limit $1`,
    [limit],
  )
  return rows
}

/**
 * Records that a duplicate was canceled and refunded.
 * @param refund `cents` is 0 and `currency` null when nothing was paid
 * @returns false if that was recorded before
 */
export async function markDuplicateResolved(
  { prisma }: Db,
  subscriptionId: string,
  { cents, currency }: { cents: number; currency: string | null },
): Promise<boolean> {
  const { count } = await prisma.duplicateSubscription.updateMany({
    where: { subscriptionId, resolvedAt: null },
    data: { resolvedAt: new Date(), refundedCents: cents, currency },
  })
  return count === 1
}

/**
 * Records that more of a resolved duplicate was refunded: a payment that was under way then.
 * @returns false if that was recorded before
 */
export async function increaseRefund(
  { prisma }: Db,
  subscriptionId: string,
  { cents, currency }: { cents: number; currency: string | null },
): Promise<boolean> {
  const { count } = await prisma.duplicateSubscription.updateMany({
    where: { subscriptionId, refundedCents: { lt: cents } },
    data: { refundedCents: cents, currency },
  })
  return count === 1
}

/** Users with several subscriptions that give a tier. @param statuses those that do */
export async function findUsersWithSeveralSubscriptions(
  db: Db,
  statuses: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from subscriptions
     where status = any ($1::text[]) and tier <> 'free' and user_id is not null
     group by user_id
     having count(*) > 1
     order by user_id
     limit $2`,
    [statuses, limit],
  )
  return rows.map(({ userId }) => userId)
}

/**
 * What the mail to the account says; undefined if it is banned or has no verified address, or if the
 * duplicate is not resolved.
 */
export async function findResolvedDuplicate(db: Db, subscriptionId: string) {
  const { rows } = await db.query<{
    email: string
    username: string
    tier: string
    keptTier: string
    refundedCents: number
    currency: string | null
  }>(
    `select email, username, ended.tier, kept.tier as "keptTier", refunded_cents as "refundedCents", currency
     from duplicate_subscriptions as duplicate
     join users on users.id = duplicate.user_id
     join subscriptions as ended on ended.id = duplicate.subscription_id
     join subscriptions as kept on kept.id = duplicate.kept_subscription_id
     where duplicate.subscription_id = $1 and resolved_at is not null
       and email_verified_at is not null and banned_at is null`,
    [subscriptionId],
  )
  return rows[0]
}
