// SQL, because the database's clock decides: payment sessions, the pages at the provider that can be paid.
import type { Db } from '../../platform/db/pool.ts'

export type PaymentStatus = 'open' | 'paid' | 'expired' | 'refunded' | 'disputed'

export interface PaymentSessionRow {
  id: string
  userId: string | null
  kind: 'subscription' | 'payment'
  priceId: string | null
  reference: string | null
  amountCents: number | null
  currency: string | null
  /** The provider's id; null until the provider has answered. */
  sessionId: string | null
  url: string | null
  status: PaymentStatus
  expiresAt: Date
}

const SESSION = `id, user_id as "userId", kind, price_id as "priceId", reference, amount_cents as "amountCents", currency,
  session_id as "sessionId", url, status, expires_at as "expiresAt"`

/**
 * Reserves a one-time payment before the provider is called; an existing one with this idempotency key stays unchanged.
 * @param payment `expiresAt` is moved into the provider's range: 30 minutes to 24 hours from now
 */
export async function reservePayment(
  db: Db,
  payment: {
    id: string
    userId: string
    reference: string
    idempotencyKey: string
    amountCents: number
    currency: string
    expiresAt: Date
  },
): Promise<PaymentSessionRow> {
  const { rows } = await db.query<PaymentSessionRow>(
    `insert into payment_sessions (id, user_id, kind, reference, idempotency_key, amount_cents, currency, expires_at)
     values ($1, $2, 'payment', $3, $4, $5, $6,
       least(greatest($7, now() + interval '31 minutes'), now() + interval '23 hours 55 minutes'))
     on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key
     returning ${SESSION}`,
    [
      payment.id,
      payment.userId,
      payment.reference,
      payment.idempotencyKey,
      payment.amountCents,
      payment.currency,
      payment.expiresAt,
    ],
  )
  const [row] = rows
  if (!row) throw new Error('reserving a payment returned no row')
  return row
}

/** Frees the idempotency key of a page that expired unpaid. */
export async function setExpiredAside(db: Db, idempotencyKey: string): Promise<void> {
  await db.query(
    `update payment_sessions set idempotency_key = idempotency_key || '#' || id, updated_at = now()
     where idempotency_key = $1 and status = 'expired'`,
    [idempotencyKey],
  )
}

/** Pages of subscriptions have a user and a price. */
export type SubscriptionPageRow = PaymentSessionRow & { userId: string; priceId: string }

/** Reserves a subscription's page. Call it with the user locked and none of the user's pages open. */
export async function reserveSubscription(
  db: Db,
  page: { id: string; userId: string; priceId: string },
): Promise<SubscriptionPageRow> {
  const { rows } = await db.query<SubscriptionPageRow>(
    `insert into payment_sessions (id, user_id, kind, price_id, idempotency_key, expires_at, exclusive)
     values ($1::uuid, $2, 'subscription', $3, $1::uuid::text, now() + interval '23 hours 55 minutes', true)
     returning ${SESSION}`,
    [page.id, page.userId, page.priceId],
  )
  const [row] = rows
  if (!row) throw new Error('reserving a page returned no row')
  return row
}

/** A user's pages for subscriptions that can still be paid, newest first. */
export async function findOpenPages(
  db: Db,
  userId: string,
  freshMinutes: number,
): Promise<(SubscriptionPageRow & { isFresh: boolean })[]> {
  const { rows } = await db.query<SubscriptionPageRow & { isFresh: boolean }>(
    `select ${SESSION}, created_at > now() - make_interval(mins => $2) as "isFresh"
     from payment_sessions
     where user_id = $1 and kind = 'subscription' and status = 'open'
     order by id desc`,
    [userId, freshMinutes],
  )
  return rows
}

/** Writes the provider's state of a reservation. */
export async function writeProviderSession(
  db: Db,
  id: string,
  { sessionId, url }: { sessionId: string; url: string },
): Promise<void> {
  await db.query('update payment_sessions set session_id = $2, url = $3, updated_at = now() where id = $1', [
    id,
    sessionId,
    url,
  ])
}

/**
 * Writes the provider's page of a reservation that is still open.
 * @returns the reservation's status: unless it is `open`, nothing was written
 */
export async function writeOpenedPage(
  db: Db,
  id: string,
  { sessionId, url }: { sessionId: string; url: string },
): Promise<PaymentStatus> {
  const { rows } = await db.query<{ status: PaymentStatus }>(
    `update payment_sessions set session_id = case status when 'open' then $2 else session_id end,
       url = case status when 'open' then $3 else url end, updated_at = now()
     where id = $1
     returning status`,
    [id, sessionId, url],
  )
  const [row] = rows
  if (!row) throw new Error('writing an opened page returned no row')
  return row.status
}

/** Closes a reservation for which the provider has no page. */
export async function expireUnopened(db: Db, id: string): Promise<void> {
  await db.query(
    `update payment_sessions set status = 'expired', updated_at = now()
     where id = $1 and status = 'open' and session_id is null`,
    [id],
  )
}

/** Locks a payment session until the transaction ends. */
export async function lockPaymentSession(db: Db, id: string): Promise<PaymentSessionRow | undefined> {
  const { rows } = await db.query<PaymentSessionRow>(
    `select ${SESSION} from payment_sessions where id = $1 for no key update`,
    [id],
  )
  return rows[0]
}

/** The stored state of the provider's page; undefined if there is no such page. */
export async function findPaymentStatus(db: Db, sessionId: string): Promise<PaymentStatus | undefined> {
  const { rows } = await db.query<{ status: PaymentStatus }>(
    'select status from payment_sessions where session_id = $1',
    [sessionId],
  )
  return rows[0]?.status
}

/** Our id of a page that, as far as we know, can still be paid; undefined for any other. */
export async function findOpenSessionId(db: Db, sessionId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select id from payment_sessions where session_id = $1 and status = 'open'`,
    [sessionId],
  )
  return rows[0]?.id
}

export async function writePaymentStatus(
  db: Db,
  id: string,
  change: { status: PaymentStatus; sessionId: string | null; paymentId: string | null },
): Promise<void> {
  await db.query(
    `update payment_sessions set status = $2, session_id = coalesce($3, session_id),
       payment_intent_id = coalesce($4, payment_intent_id), updated_at = now()
     where id = $1`,
    [id, change.status, change.sessionId, change.paymentId],
  )
}

/**
 * Closes pages that will get no further events: those that the provider never answered for, once they can no longer be
 * paid, and those that it can't be asked about, long after their end.
 */
export async function closeSilent(db: Db): Promise<void> {
  await db.query(
    `update payment_sessions set status = 'expired', updated_at = now()
     where status = 'open' and expires_at < now() - case when session_id is null then interval '1 hour' else interval '3 days' end`,
  )
}

/** Sessions that can still be paid, or whose payment was missed; oldest first. */
export async function findOpenSessions(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>(
    `select session_id as "sessionId" from payment_sessions
     where status = 'open' and session_id is not null and created_at < now() - interval '10 minutes'
     order by created_at
     limit $1`,
    [limit],
  )
  return rows.map(({ sessionId }) => sessionId)
}
