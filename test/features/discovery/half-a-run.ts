// A process that runs a source which finds 650 servers and then waits, until it is killed:
// `half-a-run.ts <database URL>`.
import { createPool } from '../../../src/platform/db/pool.ts'
import { createLog } from '../../../src/platform/observability/log.ts'
import { runSource } from '../../../workers/discovery/run.ts'
import { findMany, testSource } from './support.ts'

const log = createLog('half a run', 'silent')
const pool = createPool({ url: process.argv[2] ?? '', max: 2, applicationName: 'half-a-run', log })
const { source } = testSource('luanti')
async function* found() {
  yield* findMany(650)
  process.stdout.write('waits\n')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
}
await runSource(
  { ...source, found },
  {
    pool,
    pollWithinSeconds: 60,
    resolve: ({ host }) => ({ address: host }),
    ask: async () => ({ answered: true }) as never,
  },
  new AbortController().signal,
)
