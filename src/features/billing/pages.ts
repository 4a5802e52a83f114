// The page to which the payment provider's pages lead back, unless the setting BILLING_RETURN_URL names another.
import type { Pages } from '../../platform/http/pages.ts'

const own = (name: string) => new URL(`pages/${name}`, import.meta.url)

export const billingPages: Pages = { '/payment': own('payment.html'), '/pages/payment.js': own('payment.js') }
