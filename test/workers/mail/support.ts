// A worker that sends mails.
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { openDeps } from '../../../src/deps.ts'
import { type MailRequest, mail } from '../../../src/features/mail/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { startWorker } from '../../../workers/worker.ts'
import type { TestDatabase } from '../../support/database.ts'

/** Runs a whole worker in the test's process. @returns its log so far, and the queue */
export async function startMailWorker(database: TestDatabase, env: Record<string, string>) {
  const settings = requireProcessSettings(
    readSettings({
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      APP_SECRET: 'a secret of the tests, 32 characters and more',
      ...env,
    }),
  )
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  const deps = await openDeps('worker', settings, log, openWorkerJobs)
  const stop = await startWorker(deps)
  onTestFinished(async () => {
    await stop()
    await deps.pool.end()
  })
  return {
    logged: () => lines.join(''),
    /** Retries wait one second here. */
    send: (order: MailRequest) => deps.jobs.enqueue(deps.pool, mail, [order], { retryDelay: 1, retryBackoff: false }),
    /** Jobs that one fetch takes together, with a limit of five seconds and without retries. */
    sendTogether: (...orders: [MailRequest, MailRequest]) =>
      deps.jobs.enqueue(deps.pool, mail, orders, { expireInSeconds: 10, retryLimit: 0 }),
  }
}
