// One-time payments by the reference of what is bought: what the features that sell them ask for.
import type { Db } from '../../platform/db/pool.ts'
import type { PaymentSessionRow, PaymentStatus } from './payments.store.ts'

/** The provider's ids of the open pages of a one-time payment. */
export async function findPagesToRead({ prisma }: Db, reference: string): Promise<string[]> {
  const rows = await prisma.paymentSession.findMany({
    where: { reference, status: 'open' },
    select: { sessionId: true },
  })
  return rows.flatMap(({ sessionId }) => sessionId ?? [])
}

/** Whether a page was ever opened for a one-time payment. */
export async function wasPageOpened({ prisma }: Db, reference: string): Promise<boolean> {
  return (await prisma.paymentSession.count({ where: { reference, sessionId: { not: null } } })) > 0
}

/** Whether a page is open on which a one-time payment can be paid now. @param now epoch ms */
export async function hasPayablePage({ prisma }: Db, reference: string, now: number): Promise<boolean> {
  const where = { reference, status: 'open', sessionId: { not: null }, expiresAt: { gt: new Date(now) } }
  return (await prisma.paymentSession.count({ where })) > 0
}

/** Whether a one-time payment was paid: its `payment-settled` job has run, or will. */
export async function wasPaid({ prisma }: Db, reference: string): Promise<boolean> {
  return (await prisma.paymentSession.count({ where: { reference, status: 'paid' } })) > 0
}

/** The stored status of the provider's session, and its order's reference; undefined if there is no such session. */
export async function findPayment(
  { prisma }: Db,
  sessionId: string,
): Promise<Pick<PaymentSessionRow, 'status' | 'reference'> | undefined> {
  const row = await prisma.paymentSession.findUnique({
    where: { sessionId },
    select: { status: true, reference: true },
  })
  return row ? { ...row, status: row.status as PaymentStatus } : undefined
}

/**
 * Ends the reports of these payments by deleting their reference: what they bought is final. Other payments of the same
 * reference are still reported.
 */
export async function stopPaymentReports(
  tx: Db,
  payments: readonly { reference: string; paymentId: string | null }[],
): Promise<void> {
  await tx.query(
    `update payment_sessions as page set reference = null
     from unnest($1::text[], $2::text[]) as final (reference, payment_id)
     where page.reference = final.reference and payment_intent_id = final.payment_id`,
    [payments.map(({ reference }) => reference), payments.map(({ paymentId }) => paymentId)],
  )
}

/** Those of these references for which a payment is on its way, or has arrived. */
export async function findPaidOrProcessing({ prisma }: Db, references: readonly string[]): Promise<Set<string>> {
  const rows = await prisma.paymentSession.findMany({
    where: { reference: { in: [...references] }, OR: [{ status: 'paid' }, { status: 'open', isProcessing: true }] },
    select: { reference: true },
  })
  return new Set(rows.flatMap(({ reference }) => reference ?? []))
}
