// Payment pages at the provider: a reservation gets one, however often creating it fails, and only
// that one can be paid.
import type Stripe from 'stripe'
import type { Deps } from '../../deps.ts'
import {
  beginNextAttempt,
  findPaymentSession,
  type PaymentPage,
  type PaymentSessionRow,
  type PaymentStatus,
  writeOpenedPage,
} from './payments.store.ts'
import { createAtProvider, type Provider } from './provider.ts'
import { createProviderSync } from './provider-sync.service.ts'

type Session = Stripe.Checkout.Session

/** How far the provider's clock may be behind ours. */
const CLOCK_MARGIN_SECONDS = 600
/**
 * The newest pages that are looked through. A page that is missed expires unpaid: its address never left the provider.
 */
const MAX_SEARCHED = 1_000

export function createPaymentPages(deps: Pick<Deps, 'pool' | 'jobs' | 'log'>, provider: Provider) {
  const { pool } = deps
  const providerSync = createProviderSync(deps, provider)

  async function expire(sessionId: string): Promise<void> {
    const stripe = await provider.stripe()
    await stripe.checkout.sessions.expire(sessionId).catch((error: unknown) => {
      const { statusCode } = error as { statusCode?: number }
      if (statusCode !== 400 && statusCode !== 404) throw error // otherwise it is no longer open, or does not exist
    })
    await providerSync.refreshPage(sessionId)
  }

  /**
   * The open pages that the provider created for a reservation. The provider's lists show an object as soon as it
   * exists; its search, which could filter by metadata, does so later.
   * @param customer null: the page has no customer
   */
  async function findCreated(row: PaymentSessionRow, customer: string | null): Promise<Session[]> {
    const stripe = await provider.stripe()
    const created = { gte: Math.floor(row.createdAt.getTime() / 1000) - CLOCK_MARGIN_SECONDS }
    const all = stripe.checkout.sessions.list({ status: 'open', created, limit: 100, ...(customer && { customer }) })
    const pages: Session[] = []
    let searched = 0
    for await (const session of all) {
      if (session.metadata?.paymentSessionId === row.id) pages.push(session)
      if (++searched === MAX_SEARCHED) break
    }
    return pages
  }

  return {
    findCreated,
    /** Expires a page at the provider and writes the outcome: a page that was paid at the same moment is `paid`. */
    expire,

    /**
     * Opens the page of a reservation; concurrent callers get the same page.
     * @param options.expiresAt until when it is to be paid; null: as late as the provider accepts
     * @returns only the status if the reservation was paid, or closed by another order, in the meantime
     */
    async open<Row extends PaymentSessionRow>(
      reserved: Row,
      options: {
        create(row: Row): Promise<Session>
        customer(row: Row): Promise<string | null>
        expiresAt: Date | null
      },
    ): Promise<PaymentPage | { status: PaymentStatus }> {
      const session = await createAtProvider(reserved, {
        create: options.create,
        find: async (row) => (await findCreated(row, await options.customer(row)))[0],
        async next(row) {
          await beginNextAttempt(pool, row, options.expiresAt)
          return { ...row, ...(await findPaymentSession(pool, row.id)) }
        },
      })
      const { status, sessionId, url } = await writeOpenedPage(pool, reserved.id, {
        sessionId: session.id,
        url: session.url ?? '',
      })
      if (sessionId !== session.id || status !== 'open') await expire(session.id)
      return status === 'open' && sessionId !== null ? { sessionId, url: url ?? '' } : { status }
    },
  }
}
