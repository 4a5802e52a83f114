// The state of a payment, for the page that the visitor returns to from the provider.
import type { Client } from '../components/client.ts'
import { fallbackOn, ifFound } from '../page.ts'

/** Whether a payment of the visitor is not confirmed yet. Without a login, nothing is known. */
export async function isCheckoutOpen(api: Client, sessionId: string): Promise<boolean> {
  const read = api.get('/billing/checkout/{sessionId}', { path: { sessionId } })
  const state = await fallbackOn(401, undefined, ifFound(read))
  return state?.status === 'open'
}
