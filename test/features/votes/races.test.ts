// Concurrent votes over two real API processes: each visitor counts once, and all stored state agrees.
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { startProcess } from '../../support/processes.ts'
import { rounds } from '../../support/rounds.ts'
import { addServer, newVisitor } from './support.ts'

const { pool, url } = await createTestDatabase()

const SERVERS = 5
const PAIRS = SERVERS * rounds(10)
const AT_ONCE = 200

describe(`200 votes at once of each of ${PAIRS} visitors, over two processes`, { timeout: 600_000 }, () => {
  it('are one success each; counters, rows and cooldowns agree', async () => {
    const apis = await Promise.all([startProcess('src/main.ts', url), startProcess('src/main.ts', url)])
    // Servers with several visitors each: so visitors wait for each other's locks, too.
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => addServer(pool)))
    const pairs = Array.from({ length: PAIRS }, (_, n) => ({
      serverId: servers[n % servers.length] ?? '',
      visitorId: newVisitor(),
    }))

    const vote = async ({ serverId, visitorId }: (typeof pairs)[number], n: number) => {
      const response = await fetch(`${apis[n % 2]?.url}/api/servers/${serverId}/vote`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ visitorId }),
      })
      const body = (await response.json()) as Record<string, unknown>
      if (response.status === 429) {
        expect(body.error).toBe('vote_cooldown')
        expect(body.cooldownRemaining).toBeGreaterThan(0)
      }
      return response.status
    }
    for (const pair of pairs) {
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => vote(pair, n)))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 429)).toHaveLength(AT_ONCE - 1)
    }

    const { rows } = await pool.query(
      `select total_votes as total, monthly_votes as monthly,
         (select array_agg(number order by number) from votes where votes.server_id = counters.server_id) as numbers,
         (select count(*) from vote_cooldowns as cooldown where cooldown.server_id = counters.server_id) as cooldowns
       from server_counters as counters
       where server_id = any($1)`,
      [servers],
    )
    const each = PAIRS / servers.length
    expect(rows).toEqual(
      servers.map(() => ({
        total: each,
        monthly: each,
        numbers: Array.from({ length: each }, (_, n) => n + 1),
        cooldowns: each,
      })),
    )
  })
})
