// Payment sessions: pages at the provider on which a user can pay. Reservations, locks and what depends on age are SQL,
// by the database's clock.
import type { PaymentSession } from '../../generated/prisma/client.ts'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { PAYMENT_STATUSES } from './billing.schema.ts'

/** A page at the payment provider. */
export interface PaymentPage {
  sessionId: string
  url: string
}

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

type SessionField =
  | 'id'
  | 'userId'
  | 'priceId'
  | 'reference'
  | 'amountCents'
  | 'sessionId'
  | 'url'
  | 'isProcessing'
  | 'attempt'
  | 'expiresAt'
  | 'createdAt'

/**
 * `sessionId` is the provider's id, null until the provider has answered. `attempt` numbers the keys
 * under which it is asked.
 */
export type PaymentSessionRow = Pick<PaymentSession, SessionField> & { status: PaymentStatus }

const SESSION = `id, user_id as "userId", price_id as "priceId", reference, amount_cents as "amountCents", session_id as "sessionId", url,
  status, is_processing as "isProcessing", attempt, expires_at as "expiresAt", created_at as "createdAt"`

/**
 * When a page that is created now expires: at `end`, moved into what the provider accepts, 30 minutes
 * to 24 hours from now.
 */
const pageEnd = (end: string) =>
  `least(greatest(${end}, now() + interval '31 minutes'), now() + interval '23 hours 55 minutes')`

/**
 * Reserves a one-time payment before the provider is asked. A payment that has this idempotency key stays as it is.
 * @param payment `expiresAt` is moved into what the provider accepts
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
  const { id, userId, reference, idempotencyKey, amountCents, currency, expiresAt } = payment
  const { rows } = await db.query<PaymentSessionRow>(
    namedParameters({
      text: `
        insert into payment_sessions (id, user_id, kind, reference, idempotency_key, amount_cents, currency, expires_at)
        values ($id, $userId, 'payment', $reference, $idempotencyKey, $amountCents, $currency, ${pageEnd('$expiresAt')})
        on conflict (idempotency_key) do update set idempotency_key = excluded.idempotency_key
        returning ${SESSION}`,
      values: { id, userId, reference, idempotencyKey, amountCents, currency, expiresAt },
    }),
  )
  const [row] = rows
  if (!row) throw new Error('reserving a payment gave no row')
  return row
}

/** Makes the idempotency key of a page that expired unpaid available again. */
export async function releaseExpiredKey(db: Db, idempotencyKey: string): Promise<void> {
  await db.query(
    `update payment_sessions set idempotency_key = idempotency_key || '#' || id, updated_at = now()
     where idempotency_key = $1 and status = 'expired'`,
    [idempotencyKey],
  )
}

/** A subscription's page: it has a user and a price. */
export type SubscriptionPageRow = PaymentSessionRow & { userId: string; priceId: string }

/** Reserves a subscription's page. The caller has locked the user, who has no other open page. */
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
  if (!row) throw new Error('reserving a page gave no row')
  return row
}

/** A user's subscription pages that can still be paid, newest first. */
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

/** @throws Error if there is no such session */
export async function findPaymentSession(db: Db, id: string): Promise<PaymentSessionRow> {
  const { rows } = await db.query<PaymentSessionRow>(`select ${SESSION} from payment_sessions where id = $1`, [id])
  const [row] = rows
  if (!row) throw new Error(`there is no payment session ${id}`)
  return row
}

/**
 * Ends an attempt that failed: the next one has its own key, and a time of expiry that the provider accepts now.
 * Changes nothing if another caller has ended it, or has written a page.
 * @param expiresAt null: as late as the provider accepts
 */
export async function beginNextAttempt(
  db: Db,
  { id, attempt }: Pick<PaymentSessionRow, 'id' | 'attempt'>,
  expiresAt: Date | null,
): Promise<void> {
  await db.query(
    `update payment_sessions
     set attempt = attempt + 1, expires_at = ${pageEnd(`coalesce($3::timestamptz, 'infinity')`)}, updated_at = now()
     where id = $1 and attempt = $2 and status = 'open' and session_id is null`,
    [id, attempt, expiresAt],
  )
}

/**
 * Writes the provider's page of a reservation, unless that is closed or has a page.
 * @returns the reservation as it is then: if two pages were created, all callers see the same one
 */
export async function writeOpenedPage(
  db: Db,
  id: string,
  { sessionId, url }: PaymentPage,
): Promise<Pick<PaymentSessionRow, 'status' | 'sessionId' | 'url'>> {
  const isWaiting = `status = 'open' and session_id is null`
  const { rows } = await db.query<Pick<PaymentSessionRow, 'status' | 'sessionId' | 'url'>>(
    `update payment_sessions set session_id = case when ${isWaiting} then $2 else session_id end,
       url = case when ${isWaiting} then $3 else url end, updated_at = now()
     where id = $1
     returning status, session_id as "sessionId", url`,
    [id, sessionId, url],
  )
  const [row] = rows
  if (!row) throw new Error('writing an opened page gave no row')
  return row
}

/** Expires a reservation for which the provider has no page, unless another attempt to create one has begun. */
export async function expireUnopened(
  { prisma }: Db,
  { id, attempt }: Pick<PaymentSessionRow, 'id' | 'attempt'>,
): Promise<void> {
  const data = { status: 'expired', updatedAt: new Date() }
  await prisma.paymentSession.updateMany({ where: { id, attempt, status: 'open', sessionId: null }, data })
}

/** Locks a payment session until the transaction ends. */
export async function lockPaymentSession(db: Db, id: string): Promise<PaymentSessionRow | undefined> {
  const { rows } = await db.query<PaymentSessionRow>(
    `select ${SESSION} from payment_sessions where id = $1 for no key update`,
    [id],
  )
  return rows[0]
}

/** The state of a buyer's own session; undefined if there is no such session, or it belongs to another user. */
export async function findCheckoutState({ prisma }: Db, where: { sessionId: string; userId: string }) {
  const row = await prisma.paymentSession.findUnique({ where, select: { status: true, isProcessing: true } })
  return row && { status: row.status as PaymentStatus, isProcessing: row.isProcessing }
}

/** Our id of a page that is stored as open; undefined for any other. */
export async function findOpenSessionId({ prisma }: Db, sessionId: string): Promise<string | undefined> {
  const row = await prisma.paymentSession.findUnique({ where: { sessionId, status: 'open' }, select: { id: true } })
  return row?.id
}

export async function writePaymentStatus(
  { prisma }: Db,
  id: string,
  change: { status: PaymentStatus; isProcessing: boolean; sessionId: string; paymentId: string | null },
): Promise<void> {
  const { status, isProcessing, sessionId, paymentId } = change
  const payment = paymentId === null ? {} : { paymentIntentId: paymentId }
  const data = { status, isProcessing, sessionId, ...payment, updatedAt: new Date() }
  await prisma.paymentSession.update({ where: { id }, data, select: { id: true } })
}

/**
 * Expires pages that the provider never answered, an hour after they stopped being payable: no payer has their address.
 */
export async function expireUnopenedPages(db: Db): Promise<void> {
  await db.query(
    `update payment_sessions set status = 'expired', updated_at = now()
     where status = 'open' and session_id is null and expires_at < now() - interval '1 hour'`,
  )
}

/**
 * Expires those of these pages that could last be paid three days ago. A payment that is on its way is read until
 * it arrives or fails.
 */
export async function expireLostPages(db: Db, sessionIds: readonly string[]): Promise<void> {
  await db.query(
    `update payment_sessions set status = 'expired', updated_at = now()
     where session_id = any($1) and status = 'open' and not is_processing and expires_at < now() - interval '3 days'`,
    [sessionIds],
  )
}

/**
 * One-time payments that may have been refunded or disputed without an event, or no longer are: changed within
 * 120 days, in which a payer may dispute, and not read for a day. Longest unread first, so that one that can't be
 * read holds up no other.
 */
export async function findPaymentsToRead(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>(
    `select session_id as "sessionId" from payment_sessions left join payment_reads on object_id = session_id
     where kind = 'payment' and status in ('paid', 'refunded', 'disputed') and updated_at > now() - interval '120 days'
       and session_id is not null and (begun_at is null or begun_at < now() - interval '1 day')
     order by begun_at nulls first
     limit $1`,
    [limit],
  )
  return rows.map(({ sessionId }) => sessionId)
}

/** Sessions that are open, or whose payment was not reported; oldest first. */
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
