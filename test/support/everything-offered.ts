// Settings with which the API offers every operation; no provider is reached.
import { SANDBOX_PRICES } from '../../dev/sandbox/prices.ts'

export const EVERYTHING_OFFERED = {
  DISCORD_CLIENT_ID: 'an-id',
  DISCORD_CLIENT_SECRET: 'a-secret',
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
  ...SANDBOX_PRICES,
}
