// Runs the example receiver as a process, with deliveries from a real worker and from unknown senders.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { openInbox } from '../../examples/webhook-receiver/inbox.ts'
import { createReceiver } from '../../examples/webhook-receiver/receiver.ts'
import { createWorld, newSecret } from '../workers/webhooks/support.ts'
import { runExample } from './running.ts'

const world = await createWorld()
const SOON = { timeout: 60_000, interval: 50 }
/** No two of the nine retries are further apart than the time a test waits, however late the receiver comes back. */
const WEBHOOK_RETRY_SCALE = '0.0005'

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-receiver-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function start({ secret, folder = newFolder(), port = '0' }: { secret: string; folder?: string; port?: string }) {
  const example = runExample('examples/webhook-receiver/main.ts', ['--port', port, '--inbox', folder], {
    WEBHOOK_SECRET: secret,
  })
  const addressOf = () => /listening on (\S+)/.exec(example.output())?.[1]
  await expect.poll(addressOf, SOON).toBeDefined()
  return { ...example, folder, url: String(addressOf()) }
}

function post(
  url: string,
  secret: string,
  { id = randomUUID() as string, body = '{"type":"vote.created","data":{}}', at = new Date() } = {},
) {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  return fetch(url, { method: 'POST', headers, body }).then(({ status }) => status)
}

test('a worker’s deliveries arrive, each is handled once, and what came while it was away too', async () => {
  const port = String(await freePort())
  const { serverId, secret } = await world.addEndpoint(`http://127.0.0.1:${port}/`)
  const folder = newFolder()
  const first = await start({ secret, folder, port })
  await world.startWorker({ WEBHOOK_RETRY_SCALE })
  const id = await world.queue(serverId, { voteId: 'ünï' })
  await expect.poll(() => first.lines().at(-1), SOON).toBe(`vote.created ${id} {"voteId":"ünï"}`)
  await expect.poll(() => world.delivery(id), SOON).toMatchObject({ status: 'delivered', attempts: 1 })

  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  const missed = await world.queue(serverId, { n: 2 })
  await expect.poll(async () => (await world.delivery(missed)).attempts, SOON).toBeGreaterThan(0)
  const second = await start({ secret, folder, port })
  await expect.poll(() => second.lines().at(-1), SOON).toBe(`vote.created ${missed} {"n":2}`)
  expect(second.lines()).toHaveLength(2)
}, 180_000)

test('an event is handled once however often it comes, also after a restart', async () => {
  const secret = newSecret()
  const receiver = await start({ secret })
  const id = randomUUID()
  const statuses = await Promise.all(Array.from({ length: 20 }, () => post(receiver.url, secret, { id })))
  expect(new Set(statuses)).toEqual(new Set([204]))
  await expect.poll(() => receiver.lines().length, SOON).toBe(2)
  // Killed before it is marked as handled, an event is handled again.
  await expect.poll(() => fs.readdirSync(receiver.folder), SOON).toEqual([`${id}.done`])
  receiver.child.kill('SIGKILL')
  await receiver.ended
  const again = await start({ secret, folder: receiver.folder })
  expect(await post(again.url, secret, { id })).toBe(204)
  const next = randomUUID()
  await post(again.url, secret, { id: next })
  await expect.poll(() => again.lines().length, SOON).toBe(2)
  expect(again.lines()).toContainEqual(expect.stringContaining(next))
})

test('an event that was taken but not handled when the process died is handled at the next start', async () => {
  const folder = newFolder()
  const id = randomUUID()
  fs.writeFileSync(path.join(folder, `${id}.json`), '{"type":"server.online","data":{"n":1}}')
  const receiver = await start({ secret: newSecret(), folder })
  expect(receiver.lines()[0]).toBe(`server.online ${id} {"n":1}`)
})

test('what is not signed with the secret, is old, too large or no post is refused and does nothing', async () => {
  const secret = newSecret()
  const receiver = await start({ secret })
  expect(await post(receiver.url, newSecret())).toBe(401)
  expect(await post(receiver.url, secret, { at: new Date(Date.now() - 3_600_000) })).toBe(401)
  expect((await fetch(receiver.url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(receiver.url)).status).toBe(405)
  expect(await post(receiver.url, secret, { body: 'x'.repeat(70_000) })).toBe(413)
  expect(await post(receiver.url, secret, { id: '../elsewhere' })).toBe(500)
  expect(fs.readdirSync(receiver.folder)).toEqual([])
  expect(receiver.lines().filter((line) => line.startsWith('vote.created'))).toEqual([])
})

test('an event whose handling fails holds up no other, and is handled again later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  onTestFinished(vi.spyOn(console, 'error').mockImplementation(() => undefined).mockRestore)
  const inbox = await openInbox(newFolder())
  let isGameServerDown = true
  const handled: string[] = []
  const receiver = createReceiver({
    secrets: [newSecret()],
    inbox,
    async handle({ type }) {
      if (type === 'vote.created' && isGameServerDown) throw new Error('the game server is down')
      handled.push(type)
    },
  })
  await inbox.add('first', '{"type":"vote.created","data":{}}')
  await inbox.add('second', '{"type":"server.online","data":{}}')
  await receiver.work()
  expect(handled).toEqual(['server.online'])
  isGameServerDown = false
  await vi.runOnlyPendingTimersAsync()
  await expect.poll(inbox.waiting).toEqual([])
  expect(handled).toEqual(['server.online', 'vote.created'])
})

test('after a rotation either secret is good', async () => {
  const [previous, present] = [newSecret(), newSecret()]
  const receiver = await start({ secret: `${present},${previous}` })
  expect([await post(receiver.url, previous), await post(receiver.url, present)]).toEqual([204, 204])
})
