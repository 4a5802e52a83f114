// A real mail server on a port of this machine, and a worker that sends to it.
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { openDeps } from '../../../src/deps.ts'
import { type MailOrder, mail } from '../../../src/features/mail/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { startWorker } from '../../../workers/worker.ts'
import type { TestDatabase } from '../../support/database.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  headers: Map<string, string>
  /** As it came, quoted-printable undone. */
  text: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
}

/** Takes every mail unless the hooks refuse. Closed with the test. */
export async function startMailServer(options: SMTPServerOptions & { port?: number } = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const { port = 0, ...hooks } = options
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...parse(Buffer.concat(chunks).toString()),
        })
        done()
      })
    },
    ...hooks,
  })
  server.on('error', () => undefined) // a client that goes away
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.server.address()
  if (typeof address === 'string' || !address) throw new Error('the mail server has no port')
  return { url: `smtp://127.0.0.1:${address.port}`, received }
}

export function parse(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const [head = '', ...body] = source.split(/\r?\n\r?\n/)
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]+: ?/, '')]),
  )
  if (headers.size !== lines.length) throw new Error(`a header is there twice:\n${head}`)
  const text = body
    .join('\n\n')
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return { headers, text }
}

/** A whole worker in the test's process. @returns what it logged so far, and the queue */
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
    /** A retry waits a second here. */
    send: (order: MailOrder) => deps.jobs.enqueue(deps.pool, mail, [order], { retryDelay: 1, retryBackoff: false }),
  }
}
