// The worker process: handlers on their queues, and a small server for health and metrics.
import { databaseCheck, queueCheck, startHealthServer } from '../src/platform/http/health.ts'
import { openWorkerJobs } from '../src/platform/queue/jobs.ts'
import type { ProcessWork } from '../src/process.ts'
import { startWorker } from './worker.ts'

export const worker: ProcessWork = {
  openQueue: openWorkerJobs,
  async start(deps, opened) {
    const { settings, log, primary } = deps
    let atWork = false
    const health = await startHealthServer({
      host: settings.HOST,
      port: settings.WORKER_PORT,
      checks: [
        databaseCheck(deps.pool),
        queueCheck(deps.jobs),
        { name: 'handlers', check: () => (atWork ? undefined : 'starting') },
      ],
      log,
      primary,
    })
    opened.push(health.stop)
    opened.push(await startWorker(deps))
    atWork = true
    return health.port
  },
}
