// Refunds, one row for each payment. SQL: inserts decide a race, and the sweep goes by age, by the database's clock.
import type { Db } from '../../platform/db/pool.ts'

type RefundStatus = 'due' | 'succeeded' | 'failed'

/**
 * Writes that a payment is to be refunded. A refund that succeeded is due again: the provider may report
 * later that it failed.
 * @returns the refund's id; undefined if it is due already, or the session is unknown
 */
export async function insertRefund(tx: Db, id: string, sessionId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into payment_refunds as refund (id, payment_session_id)
     select $1, id from payment_sessions where session_id = $2
     on conflict (payment_session_id) do update set status = 'due', updated_at = now() where refund.status = 'succeeded'
     returning id`,
    [id, sessionId],
  )
  return rows[0]?.id
}

/** Whether a refund of the provider's session was ever requested. */
export async function hasRefund(db: Db, sessionId: string): Promise<boolean> {
  const { rows } = await db.query(
    `select from payment_refunds join payment_sessions on payment_sessions.id = payment_session_id where session_id = $1`,
    [sessionId],
  )
  return rows.length > 0
}

export interface RefundRow {
  status: RefundStatus
  /** The provider's id; null until it has answered. */
  providerRefundId: string | null
  sessionId: string
  attempts: number
}

export async function findRefund(db: Db, id: string): Promise<RefundRow | undefined> {
  const { rows } = await db.query<RefundRow>(
    `select refund.status, provider_refund_id as "providerRefundId", session_id as "sessionId", attempts
     from payment_refunds as refund join payment_sessions on payment_sessions.id = payment_session_id
     where refund.id = $1`,
    [id],
  )
  return rows[0]
}

/** The outcome of one attempt. `due`: not decided yet, the sweep tries again. */
export interface RefundOutcome {
  status: RefundStatus
  providerRefundId: string | null
  error: string | null
}

export async function writeRefund(
  db: Db,
  id: string,
  { status, providerRefundId, error }: RefundOutcome,
): Promise<void> {
  await db.query(
    `update payment_refunds set status = $2, provider_refund_id = coalesce($3, provider_refund_id), last_error = $4,
       attempts = attempts + 1, updated_at = now()
     where id = $1`,
    [id, status, providerRefundId, error],
  )
}

/** Writes that the provider has refunded the whole payment, for us or by hand. */
export async function completeRefund(tx: Db, paymentSessionId: string): Promise<void> {
  await tx.query(
    `update payment_refunds set status = 'succeeded', last_error = null, updated_at = now()
     where payment_session_id = $1 and status <> 'succeeded'`,
    [paymentSessionId],
  )
}

/** Refunds that are due and were not attempted for ten minutes, oldest first. */
export async function findDueRefunds(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from payment_refunds where status = 'due' and updated_at < now() - interval '10 minutes'
     order by updated_at limit $1`,
    [limit],
  )
  return rows.map(({ id }) => id)
}

/** The refunds of one-time payments with these references, oldest first. */
export async function findRefundsOf(db: Db, references: readonly string[]) {
  const { rows } = await db.query<{
    reference: string
    status: RefundStatus
    attempts: number
    lastError: string | null
  }>(
    `select reference, refund.status, attempts, last_error as "lastError"
     from payment_refunds as refund join payment_sessions on payment_sessions.id = payment_session_id
     where reference = any($1) order by refund.created_at`,
    [references],
  )
  return rows
}
