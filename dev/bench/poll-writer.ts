// Writes the results of polls at a steady rate, as workers do, until the parent stops it. Reports how
// many it wrote in all.
import { setTimeout as sleep } from 'node:timers/promises'
import { applyResults, pollRules } from '../../src/features/polling/index.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { seededRandom } from '../simulator/fleet.ts'

const BATCH = 200
const LANES = 4
const RULES = pollRules({ POLL_INTERVAL_SECONDS: 60 })

export interface WriterOptions {
  url: string
  serverIds: string[]
  perSecond: number
}

process.on('message', async (message: WriterOptions | 'count') => {
  if (message === 'count') process.send?.(written)
  else await write(message)
})
process.on('disconnect', () => process.exit(0))

let written = 0

async function write({ url, serverIds, perSecond }: WriterOptions): Promise<void> {
  const options = { url, applicationName: 'bench writer', log: createLog('bench', 'error') }
  const jobs = await openJobs(options)
  const deps = { pool: createPool({ ...options, max: LANES }), jobs, settings: { JUST_WIPED_DAYS: 7 } }
  const random = seededRandom(serverIds.length)
  const from = performance.now()
  let batches = 0
  const lane = async () => {
    for (;;) {
      const batch = batches++
      const due = from + (batch * BATCH * 1000) / perSecond
      await sleep(Math.max(0, due - performance.now()))
      const results = Array.from({ length: BATCH }, (_, n) => {
        const at = batch * BATCH + n
        return {
          serverId: serverIds[at % serverIds.length] as string,
          cycle: 1 + Math.floor(at / serverIds.length),
          answered: true as const,
          players: Math.floor(random() * 70),
          maxPlayers: 70,
          map: 'TheIsland',
          bots: 0,
          hasPassword: null,
          version: '361.7',
          queryMs: 20,
        }
      })
      // `written += await …` would read the sum before it waits, and lose what other lanes add meanwhile.
      const applied = await applyResults(deps, results, RULES)
      written += applied.length
    }
  }
  process.send?.('started')
  await Promise.all(Array.from({ length: LANES }, lane))
}
