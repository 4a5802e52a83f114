// The payment sandbox process, which `npm start` runs if no payment provider is configured. Argument: the URL for
// events.
import path from 'node:path'
import { readSettings } from '../../src/platform/config/settings.ts'
import { createStopListener } from '../../src/platform/processes/stop.ts'
import { pricesOf } from './prices.ts'
import { startSandbox } from './server.ts'

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  if (settings.NODE_ENV === 'production') throw new Error('the payment sandbox is not for production')
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings
  if (!secretKey || !webhookSecret) throw new Error('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are needed')
  const sandbox = await startSandbox({
    port: Number(new URL(settings.STRIPE_API_BASE).port),
    secretKey,
    webhookSecret,
    prices: pricesOf(settings),
    webhookUrl: process.argv[2] ?? `${settings.PUBLIC_BASE_URL}/api/billing/webhook`,
    file: path.join(settings.DATA_DIR, 'payment-sandbox.json'),
  })
  process.send?.('listening')
  const listener = createStopListener(() => void sandbox.stop())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, listener)
}

await main().catch((error: Error) => {
  process.stderr.write(`sandbox: ${error.message}\n`)
  process.exitCode = 1
})
