// Subscriptions (models); billing accounts and the statement that sets a user's tier (SQL: locks, sets and
// the database's clock).
import type { Subscription } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Tier } from '../api-keys/index.ts'

/** Locks the user until the transaction ends, so that concurrent changes of the user's subscriptions see each other. */
export async function lockUser(db: Db, userId: string): Promise<{ id: string } | undefined> {
  const { rows } = await db.query<{ id: string }>('select id from users where id = $1 for no key update', [userId])
  return rows[0]
}

export async function findBillingUser(db: Db, userId: string) {
  const { rows } = await db.query<{
    email: string | null
    tier: Tier
    customerId: string | null
    /** Numbers the keys under which the provider is asked for a customer. */
    customerAttempt: number
  }>(
    `select email, tier, customer_id as "customerId", coalesce(customer_attempt, 1) as "customerAttempt"
     from users left join billing_accounts on user_id = users.id
     where users.id = $1`,
    [userId],
  )
  return rows[0]
}

/** Ends an attempt to create a user's customer that failed. Changes nothing if another caller has ended it. */
export async function beginNextCustomerAttempt(db: Db, userId: string, attempt: number): Promise<void> {
  await db.query(
    `insert into billing_accounts as account (user_id, customer_attempt) values ($1, $2 + 1)
     on conflict (user_id) do update set customer_attempt = $2 + 1, updated_at = now() where account.customer_attempt = $2`,
    [userId, attempt],
  )
}

/**
 * Stores a user's customer at the provider; of two concurrent ones the first stays. The caller has locked the user: two
 * concurrent inserts of one customer would violate the unique index on the customer.
 * @param replacing a customer that the provider no longer has
 * @returns the customer that is stored
 */
export async function storeCustomer(
  db: Db,
  { userId, customerId, replacing }: { userId: string; customerId: string; replacing: string | null },
): Promise<string> {
  const { rows } = await db.query<{ customerId: string }>(
    `insert into billing_accounts as account (user_id, customer_id) values ($1, $2)
     on conflict (user_id) do update set updated_at = now(),
       customer_id = case when account.customer_id is not distinct from $3 then excluded.customer_id else account.customer_id end
     returning customer_id as "customerId"`,
    [userId, customerId, replacing],
  )
  const [row] = rows
  if (!row) throw new Error('storing a customer gave no row')
  return row.customerId
}

/**
 * The owner of a subscription: the user who opened its payment page, or who is the customer.
 * @returns undefined for a subscription that was not sold here; `userId` is null if the owner's account was deleted
 */
export async function findOwner(
  db: Db,
  of: { subscriptionId: string; customerId: string; paymentSessionId: string | null },
): Promise<{ userId: string | null } | undefined> {
  const { rows } = await db.query<{ userId: string | null }>(
    `select user_id as "userId" from (
       select user_id from payment_sessions where id = $3
       union all
       select user_id from billing_accounts where customer_id = $2
       union all
       select user_id from subscriptions where id = $1
     ) as owners
     order by user_id is null
     limit 1`,
    [of.subscriptionId, of.customerId, of.paymentSessionId],
  )
  return rows[0]
}

/** `startedAt` is by the provider's clock, in whole seconds. */
export type SubscriptionRow = Omit<Subscription, 'tier' | 'startedAt' | 'createdAt' | 'updatedAt'> & {
  tier: Tier
  startedAt: Date
}

export async function upsertSubscription({ prisma }: Db, row: SubscriptionRow): Promise<void> {
  const { id, ...update } = row
  await prisma.subscription.upsert({
    where: { id },
    create: row,
    update: { ...update, updatedAt: new Date() },
    select: { id: true },
  })
}

/** The end of the period as it was last read; undefined for a subscription that was not read yet. */
export async function findStoredPeriodEnd({ prisma }: Db, id: string): Promise<Date | undefined> {
  const row = await prisma.subscription.findUnique({ where: { id }, select: { currentPeriodEnd: true } })
  return row?.currentPeriodEnd ?? undefined
}

/** The account of a stored subscription; null if it was deleted. */
export async function findSubscriber({ prisma }: Db, id: string): Promise<string | null> {
  return (await prisma.subscription.findUnique({ where: { id }, select: { userId: true } }))?.userId ?? null
}

/** Ends a subscription that was last read more than a week ago. @returns false if it was read since */
export async function endUnreadSubscription(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update subscriptions set status = 'canceled', updated_at = now() where id = $1 and updated_at < now() - interval '7 days'`,
    [id],
  )
  return rowCount === 1
}

/** All subscriptions a user ever had, newest first. */
export async function findSubscriptionsOf({ prisma }: Db, userId: string): Promise<SubscriptionRow[]> {
  const rows = await prisma.subscription.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return rows.map((row) => ({ ...row, tier: row.tier as Tier, startedAt: row.startedAt ?? row.createdAt }))
}

/**
 * Writes the tier that a user's subscriptions give. The user's tier follows only if that changed: a tier that an
 * administrator set stays until then (docs/decisions/0008-money.md).
 */
export async function writePaidTier(db: Db, userId: string, tier: Tier): Promise<void> {
  await db.query(
    `with before as (select paid_tier from billing_accounts where user_id = $1),
     paid as (
       insert into billing_accounts (user_id, paid_tier) values ($1, $2)
       on conflict (user_id) do update set paid_tier = excluded.paid_tier, updated_at = now()
     )
     update users set tier = $2, updated_at = now()
     where id = $1 and coalesce((select paid_tier from before), 'free') <> $2`,
    [userId, tier],
  )
}

/**
 * Subscriptions that may have changed without an event: not read for a day, their period is over, or their user's
 * account was deleted. Those of deleted accounts first: they are to be canceled. Then the longest unread first, so that
 * one that can't be read holds up no other.
 */
export async function findSubscriptionsToRead(db: Db, ended: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from subscriptions left join payment_reads on object_id = id
     where status <> all ($1::text[])
       and (begun_at is null or begun_at < now() - interval '1 day' or current_period_end <= now() or user_id is null)
     order by user_id is not null, begun_at nulls first
     limit $2`,
    [ended, limit],
  )
  return rows.map(({ id }) => id)
}
