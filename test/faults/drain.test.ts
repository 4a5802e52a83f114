// A worker process that is asked to stop while its receivers hang, its queues are full or its database is gone.
import { once } from 'node:events'
import net from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { mail } from '../../src/features/mail/index.ts'
import { openDatabaseProxy } from '../support/database-proxy.ts'
import { startProcess } from '../support/processes.ts'
import { createWorld, startReceiver } from '../workers/webhooks/support.ts'

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 }
const ENDPOINTS = 600 // more than the lane of slow endpoints has slots
const MAILS = 40

const world = await createWorld()

/** Greets, and then says nothing: a mail to it takes longer than a worker has to stop. */
async function startSilentMailServer() {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.write('220 silent\r\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`, sockets }
}

it('ends in time with endpoints and a mail server that hang and full queues, and loses none of it', async () => {
  const hanging = await startReceiver(() => {})
  const mailServer = await startSilentMailServer()
  const { rows } = await world.pool.query<{ id: string }>(
    `insert into users (id, email, username) values (gen_random_uuid(), 'player@example.com', 'player') returning id`,
  )
  const userId = rows[0]?.id ?? ''
  const { child, output } = await startProcess('workers/main.ts', world.url, {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'directory@example.com',
  })
  const endpoints = Array.from({ length: ENDPOINTS }, (_, n) => world.addEndpoint(`${hanging.url}/${n}`))
  await Promise.all((await Promise.all(endpoints)).map(({ serverId }) => world.queue(serverId)))
  await world.jobs.enqueue(world.pool, mail, Array(MAILS).fill({ kind: 'reset-password', userId }))
  await vi.waitFor(() => expect(mailServer.sockets.size).toBeGreaterThan(0), WAIT_OPTIONS)
  await vi.waitFor(() => expect(hanging.received.length).toBeGreaterThan(0), WAIT_OPTIONS)

  child.kill('SIGTERM')
  // A worker that takes longer than it may ends itself with 1.
  expect(await once(child, 'exit'), output()).toEqual([0, null])
  expect(await world.count('pending')).toBe(ENDPOINTS)
  const left = await world.pool.query<{ active: number; mails: number; leased: number }>(
    `select count(*) filter (where state = 'active') as active, count(*) filter (where name = 'mail' and state < 'completed') as mails,
       (select count(*) from endpoints where lease_id is not null) as leased from pgboss.job`,
  )
  expect(left.rows).toEqual([{ active: 0, mails: MAILS, leased: 0 }])
})

it('ends in time while its database is gone', async () => {
  const proxy = await openDatabaseProxy(world.url)
  const worker = await startProcess('workers/main.ts', proxy.url)
  await proxy.cut()
  await vi.waitFor(() => expect(worker.output()).toContain('queue'), WAIT_OPTIONS)
  worker.child.kill('SIGTERM')
  const [code] = await once(worker.child, 'exit')
  expect([code, worker.output()]).toEqual([0, expect.stringContaining('"worker stopped"')])
})
