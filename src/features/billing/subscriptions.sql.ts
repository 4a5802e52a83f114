// SQL, because of locks and because tiers follow from sets: billing accounts and subscriptions.
import type { Db } from '../../platform/db/pool.ts'
import type { Tier } from '../api-keys/index.ts'

/** Locks the user until the transaction ends, so that concurrent writers see each other's subscriptions. */
export async function lockUser(db: Db, userId: string): Promise<{ id: string } | undefined> {
  const { rows } = await db.query<{ id: string }>('select id from users where id = $1 for no key update', [userId])
  return rows[0]
}

export interface BillingUser {
  email: string | null
  tier: Tier
  customerId: string | null
}

export async function findBillingUser(db: Db, userId: string): Promise<BillingUser | undefined> {
  const { rows } = await db.query<BillingUser>(
    `select email, tier, customer_id as "customerId"
     from users left join billing_accounts on user_id = users.id
     where users.id = $1`,
    [userId],
  )
  return rows[0]
}

/**
 * Stores a user's customer at the provider; of two concurrent ones the first stays. Call it with the user locked,
 * because two inserts of one customer violate the unique index.
 * @param replacing a customer that the provider no longer knows
 * @returns the stored one
 */
export async function keepCustomer(
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
  if (!row) throw new Error('storing a customer returned no row')
  return row.customerId
}

/**
 * The user of a subscription: the one who was sent to pay it, or the customer.
 * @returns undefined for an unknown subscription of another product; `userId` is null if the account was deleted
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

export interface SubscriptionRow {
  id: string
  userId: string | null
  customerId: string
  priceId: string
  tier: Tier
  status: string
  currentPeriodEnd: Date | null
  cancelAtPeriodEnd: boolean
  /** By the provider's clock, in whole seconds. */
  startedAt: Date
}

const SUBSCRIPTION = `id, user_id as "userId", customer_id as "customerId", price_id as "priceId", tier, status,
  current_period_end as "currentPeriodEnd", cancel_at_period_end as "cancelAtPeriodEnd",
  coalesce(started_at, created_at) as "startedAt"`

export async function upsertSubscription(db: Db, row: SubscriptionRow): Promise<void> {
  await db.query(
    `insert into subscriptions (id, user_id, customer_id, price_id, tier, status, current_period_end, cancel_at_period_end,
       started_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set user_id = excluded.user_id, customer_id = excluded.customer_id,
       price_id = excluded.price_id, tier = excluded.tier, status = excluded.status,
       current_period_end = excluded.current_period_end, cancel_at_period_end = excluded.cancel_at_period_end,
       started_at = excluded.started_at, updated_at = now()`,
    [
      row.id,
      row.userId,
      row.customerId,
      row.priceId,
      row.tier,
      row.status,
      row.currentPeriodEnd,
      row.cancelAtPeriodEnd,
      row.startedAt,
    ],
  )
}

/** All subscriptions of a user, newest first. */
export async function findSubscriptionsOf(db: Db, userId: string): Promise<SubscriptionRow[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `select ${SUBSCRIPTION} from subscriptions where user_id = $1 order by created_at desc, id desc`,
    [userId],
  )
  return rows
}

/**
 * Stores what a user's subscriptions give now. The user's tier follows only if that changed: an administrator's tier
 * stays until then (docs/decisions/0008-money.md).
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

/** Subscriptions that may have changed without an event: their period is over, or their user's account was deleted. */
export async function findOverdueSubscriptions(db: Db, ended: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from subscriptions
     where status <> all ($1::text[]) and (current_period_end <= now() or user_id is null)
     order by current_period_end
     limit $2`,
    [ended, limit],
  )
  return rows.map(({ id }) => id)
}
