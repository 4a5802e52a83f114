// Fifty endpoints that hang, drip or stream for ever delay nobody else, and fill no memory.
import fs from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { createSender } from '../../../workers/webhooks/send.ts'
import { startProcess } from '../../support/processes.ts'
import { createWorld, startReceiver } from './support.ts'

const BAD = 50
const HEALTHY = 25
const ROUNDS = 60
const ROUND_MS = 150

/** Of a process, in megabytes. */
function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

it('50 endpoints that hang, drip or stream for ever leave healthy ones a p95 below 2 s, and memory bounded', async () => {
  const world = await createWorld()
  const bad = await startReceiver((one, res) => {
    if (one.path === '/drip') {
      res.writeHead(200)
      const timer = setInterval(() => res.write('x'), 50)
      res.once('close', () => clearInterval(timer))
    }
    if (one.path === '/stream') {
      res.writeHead(200)
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
      }
      res.on('drain', more)
      more()
    }
  })
  const healthy = await startReceiver()
  const badOnes = await Promise.all(
    Array.from({ length: BAD }, (_, n) => world.addEndpoint(`${bad.url}/${['hang', 'drip', 'stream'][n % 3]}`)),
  )
  const healthyOnes = await Promise.all(
    Array.from({ length: HEALTHY }, (_, n) => world.addEndpoint(`${healthy.url}/${n}`)),
  )
  const worker = await startProcess('workers/main.ts', world.url, { WEBHOOK_RETRY_SCALE: '0.01' })
  const pid = worker.child.pid ?? 0

  // The bad ones are busy, with a backlog, before anybody healthy comes.
  for (const { serverId } of badOnes) for (let i = 0; i < 10; i++) await world.queue(serverId)
  await expect.poll(() => bad.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(BAD)
  const before = residentMegabytes(pid)
  let most = before
  const queuedAt = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = Date.now()
    const { serverId } = healthyOnes[round % HEALTHY] ?? { serverId: '' }
    const others = [badOnes[round % BAD], badOnes[(round * 7) % BAD]].map((one) => one?.serverId ?? '')
    queuedAt.set(await world.queue(serverId), startedAt)
    for (const other of others) await world.queue(other)
    most = Math.max(most, residentMegabytes(pid))
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAt + ROUND_MS - Date.now())))
  }
  await expect.poll(() => new Set(healthy.ids()).size, { timeout: 30_000 }).toBe(ROUNDS)

  const waits = healthy.received.map(({ id, at }) => at - (queuedAt.get(id) ?? 0)).sort((a, b) => a - b)
  expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThan(2_000)
  expect(most - before).toBeLessThan(80)
  // Drips and streams said 200 and are done; nothing that hangs was.
  expect(
    await world.pool.query(`select from webhook_deliveries where status = 'delivered'`).then((r) => r.rowCount),
  ).toBeGreaterThan(ROUNDS)
})

it('many more endpoints that hang than there are places delay a healthy one by moments, and all get their turns', async () => {
  const world = await createWorld()
  const hanging = await startReceiver(() => undefined)
  const healthy = await startReceiver()
  const sizes = { fast: 4, slow: 4, total: 40 }
  const sender = createSender({ allowPrivate: true, requireHttps: false, timeoutMs: 1_500 })
  onTestFinished(() => sender.close())
  const hangingOnes = await Promise.all(Array.from({ length: 24 }, (_, n) => world.addEndpoint(`${hanging.url}/${n}`)))
  const { serverId } = await world.addEndpoint(healthy.url)
  await world.startWorker({}, { lanes: sizes, sender })
  for (const one of hangingOnes) for (let i = 0; i < 3; i++) await world.queue(one.serverId)
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    const queuedAt = Date.now()
    const id = await world.queue(serverId)
    await expect.poll(() => healthy.ids(), { timeout: 20_000, interval: 20 }).toContain(id)
    waits.push(Date.now() - queuedAt)
  }
  waits.sort((a, b) => a - b)
  // The first may wait until those before it are known to hang; then only the slow lane is full.
  expect(waits.at(-1)).toBeLessThan(6_000)
  expect(waits[6]).toBeLessThan(1_000)
  await expect.poll(() => new Set(hanging.received.map(({ path }) => path)).size, { timeout: 30_000 }).toBe(24)
  for (let n = 0; n < 24; n++) expect(hanging.mostAtOnce(`/${n}`)).toBe(1)
})
