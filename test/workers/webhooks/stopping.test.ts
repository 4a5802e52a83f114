// A worker that is asked to stop during an attempt.
import { describe, expect, it } from 'vitest'
import { createWorld, startReceiver } from './support.ts'

const world = await createWorld()

describe('a worker', () => {
  it('asked to stop finishes the attempt in progress, records it, and releases the other deliveries', async () => {
    let release: (() => void) | undefined
    const receiver = await startReceiver((_, res) => {
      if (release) res.writeHead(204).end()
      else release = () => res.writeHead(204).end()
    })
    const { serverId } = await world.addEndpoint(receiver.url)
    const first = await world.startWorker()
    const ids = [await world.queue(serverId), await world.queue(serverId), await world.queue(serverId)]
    await expect.poll(() => receiver.ids()).toEqual([ids[0]])
    const stopped = first.stop()
    setTimeout(() => release?.(), 300)
    await stopped
    expect(receiver.ids()).toEqual([ids[0]])
    expect(await world.delivery(ids[0] ?? '')).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(await world.endpoint(serverId)).toMatchObject({ isLeased: false })
    await world.startWorker()
    for (const id of ids) await expect.poll(() => world.delivery(id)).toMatchObject({ status: 'delivered' })
    expect(receiver.ids()).toEqual(ids)
  })
})
