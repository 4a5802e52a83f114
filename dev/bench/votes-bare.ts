// The bare pg loop that votes are compared with: the same statement on as many connections.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { recordVotes } from '../../src/features/votes/index.ts'
import { connectionOptions } from '../../src/platform/db/pool.ts'
import type { Rate } from './report.ts'

export interface BareOptions {
  url: string
  connections: number
}
export interface BareRound {
  serverIds: string[]
  seconds: number
}

process.once('message', async ({ url, connections }: BareOptions) => {
  const clients = Array.from({ length: connections }, () => new pg.Client(connectionOptions(url, 'bench-bare')))
  await Promise.all(clients.map((client) => client.connect()))
  process.on('message', async ({ serverIds, seconds }: BareRound) => {
    const from = performance.now()
    const cpu = process.cpuUsage()
    const until = from + seconds * 1000
    let votes = 0
    const lane = async (client: pg.Client) => {
      while (performance.now() < until) {
        const serverId = serverIds[votes++ % serverIds.length] ?? ''
        const input = {
          id: uuidv7(),
          serverId,
          visitorId: randomUUID(),
          username: 'A voter',
          gamePlatformId: '',
          addressKey: randomUUID(),
          senderId: null,
        }
        const options = { now: undefined, onlyWithoutEffects: false, milestones: [], votesPerAddress: 20 }
        const [outcome] = await recordVotes(Object.assign(client, { requireVerified: false }), [input], options)
        if (!outcome?.votedAt) throw new Error('a vote was not counted')
      }
    }
    await Promise.all(clients.map(lane))
    const { user, system } = process.cpuUsage(cpu)
    const rate: Rate = { perSecond: votes / ((performance.now() - from) / 1000), microsEach: (user + system) / votes }
    process.send?.(rate)
  })
  process.send?.(true)
})
process.on('disconnect', () => process.exit(0))
