// Platform statistics.
import { expect } from 'vitest'
import { listServer, newVisitor } from '../product.ts'
import { section } from '../section.ts'

const statistics = async () => (await newVisitor().get<Record<string, number>>('/api/public/stats')).body

section('GET /api/public/stats', {
  response: [
    'is exactly the platform statistics',
    async () => {
      const { status, body } = await newVisitor().get('/api/public/stats')
      expect(status).toBe(200)
      expect(Object.keys(body).sort()).toEqual(['onlineServers', 'totalPlayers', 'totalServers', 'totalVotes'])
    },
  ],
})

/** How much the totals grow during `during`; other tests may only add to them meanwhile. */
async function growthOf(total: string, change: () => Promise<unknown>): Promise<number> {
  const before = (await statistics())[total] ?? Number.NaN
  await change()
  return ((await statistics())[total] ?? Number.NaN) - before
}

section('platform statistics', {
  totalServers: [
    'counts listed servers',
    async () => expect(await growthOf('totalServers', () => listServer())).toBe(1),
  ],
  onlineServers: [
    'counts servers that answer',
    async () => expect(await growthOf('onlineServers', () => listServer())).toBe(1),
  ],
  totalPlayers: [
    'adds up the players of all servers',
    async () => expect(await growthOf('totalPlayers', () => listServer({}, { players: 11 }))).toBe(11),
  ],
  totalVotes: [
    'counts votes for listed servers',
    async () => {
      const { id } = await listServer()
      const vote = () => newVisitor().post(`/api/servers/${id}/vote`, { visitorId: 'visitor-of-the-statistics' })
      expect(await growthOf('totalVotes', vote)).toBe(1)
    },
  ],
})
