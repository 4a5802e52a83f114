// Events: what a vote's response says about its webhook.
import { expect, onTestFinished } from 'vitest'
import { startLoopbackServer } from '../../support/loopback-server.ts'
import { createServer, newVisitor, type Person, register, WAIT_OPTIONS } from '../product.ts'
import { section } from '../section.ts'

interface Deliveries {
  deliveries: { id: string; type: string; status: string; payload: { data: { totalVotes: number } } }[]
}

async function webhookSent(serverId: string, visitorId: string): Promise<unknown> {
  const { status, body } = await newVisitor().post(`/api/servers/${serverId}/vote`, { visitorId })
  expect(status).toBe(200)
  return body.webhookSent
}

async function deliveriesOf({ client }: Person, serverId: string) {
  const { status, body } = await client.get<Deliveries>(`/api/servers/${serverId}/webhook/deliveries`)
  expect(status).toBe(200)
  return body.deliveries
}

section('events', {
  'webhookSent tells whether a webhook was sent': [
    'is true exactly if a delivery of the vote follows: not without a webhook, nor with one for other events only',
    async () => {
      const received: string[] = []
      const { origin, close } = await startLoopbackServer(({ headers }, res) => {
        received.push(String(headers['webhook-id']))
        res.writeHead(204).end()
      })
      onTestFinished(close)
      const owner = await register()
      const { id } = (await createServer(owner)).server
      const webhook = `/api/servers/${id}/webhook`
      const set = (events: string[]) => owner.client.put(webhook, { url: `${origin}/votes`, events })

      expect(await webhookSent(id, 'before the webhook')).toBe(false)
      expect((await set(['server.wiped'])).status).toBe(200)
      expect(await webhookSent(id, 'while it asks for other events')).toBe(false)
      expect((await set(['vote.created'])).status).toBe(200)
      expect(await deliveriesOf(owner, id)).toEqual([])

      expect(await webhookSent(id, 'while it asks for votes')).toBe(true)
      await expect.poll(async () => (await deliveriesOf(owner, id))[0]?.status, WAIT_OPTIONS).toBe('delivered')
      const deliveries = await deliveriesOf(owner, id)
      expect(deliveries).toMatchObject([{ type: 'vote.created', payload: { data: { totalVotes: 3 } } }])
      expect(received).toEqual(deliveries.map((delivery) => delivery.id))

      expect((await owner.client.delete(webhook)).status).toBe(200)
      expect(await webhookSent(id, 'after the webhook')).toBe(false)
      expect(received).toHaveLength(1)
    },
  ],
})
