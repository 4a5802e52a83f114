// Runs the receiver: WEBHOOK_SECRET=whsec_… npx node examples/webhook-receiver/main.ts [--port 4000] [--inbox folder]
// Pass two secrets, comma-separated, during a rotation.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { openInbox } from './inbox.ts'
import { createReceiver } from './receiver.ts'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4000' }, inbox: { type: 'string', default: '.webhook-inbox' } },
})
const secrets = (process.env.WEBHOOK_SECRET ?? '').split(',').filter(Boolean)
if (!secrets.length) throw new Error('set WEBHOOK_SECRET to the secret that `setWebhook` returned')

const receiver = createReceiver({
  secrets,
  inbox: await openInbox(values.inbox),
  // Replace this with your own action: reward the voter, post to a chat …
  async handle({ type, data }, id) {
    console.log(`${type} ${id} ${JSON.stringify(data)}`)
  },
})
await receiver.work()

const server = createServer(receiver.listener)
server.listen(Number(values.port), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close())
