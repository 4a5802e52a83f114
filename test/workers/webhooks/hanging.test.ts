// More endpoints that hang than the sender has slots.
import { expect, it, onTestFinished } from 'vitest'
import { createSender } from '../../../workers/webhooks/send.ts'
import { createWorld, startReceiver } from './support.ts'

it('more hanging endpoints than slots hardly delay a healthy one, and each gets its turn', async () => {
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
    await expect.poll(() => healthy.ids(), { interval: 20 }).toContain(id)
    waits.push(Date.now() - queuedAt)
  }
  waits.sort((a, b) => a - b)
  // The first delivery may wait until the hanging endpoints are known; then only the slow lane is full.
  expect(waits.at(-1)).toBeLessThan(6_000)
  expect(waits[6]).toBeLessThan(1_000)
  await expect.poll(() => new Set(hanging.received.map(({ path }) => path)).size, { timeout: 30_000 }).toBe(24)
  for (let n = 0; n < 24; n++) expect(hanging.mostAtOnce(`/${n}`)).toBe(1)
})
