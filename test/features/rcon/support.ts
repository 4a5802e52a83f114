// RCON as owners use it: an API, a real worker's job handlers, and listings with a game server.
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { openDeps } from '../../../src/deps.ts'
import { createRconRunner, rconCommand } from '../../../src/features/rcon/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { createRconSender } from '../../../workers/rcon/send.ts'
import type { TestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { type RconServer, type RconServerOptions, startTestRconServer } from '../../support/rcon-server.ts'
import { callerOf, serverFields } from '../servers/support.ts'

export const PASSWORD = 'open sesame'

export interface RconListing {
  id: string
  owner: Person
  game: RconServer
}

let lastPort = 20_000

export function createRconWorld(api: TestApi) {
  const { pool } = api.database
  const call = callerOf(api)

  /** Adds a user's listing on loopback, with its own query port. */
  async function list(fields: Record<string, unknown> = {}): Promise<{ id: string; owner: Person }> {
    const owner = await addPerson(pool)
    const place = { ipAddress: '127.0.0.1', gamePort: 7777, queryPort: lastPort++ }
    const { status, body } = await call(owner, 'POST', '/servers', serverFields({ ...place, ...fields }))
    if (status !== 201) throw new Error(`listing answered ${status}`)
    return { id: (body as { server: { id: string } }).server.id, owner }
  }

  const configure = (who: Person, id: string, port: number, password = PASSWORD) =>
    call(who, 'PUT', `/servers/${id}/rcon`, { port, password })

  return {
    call,
    list,
    configure,

    /** A listing with RCON set up, and its RCON server. */
    async open(options: RconServerOptions = {}): Promise<RconListing> {
      const game = await startTestRconServer(options)
      const listing = await list()
      const { status } = await configure(listing.owner, listing.id, game.port)
      if (status !== 200) throw new Error(`configuring answered ${status}`)
      return { ...listing, game }
    },

    send: (who: Person | { authorization: string }, id: string, command: string) =>
      call(who, 'POST', `/servers/${id}/rcon`, { command }),

    /** A server's entries in the audit log, oldest first. */
    async entries(id: string): Promise<{ actorId: string; action: string; details: unknown }[]> {
      const { rows } = await pool.query<{ actorId: string; action: string; details: unknown }>(
        `select actor_id as "actorId", action, details from audit_log where target_id = $1 order by id`,
        [id],
      )
      return rows
    },
  }
}

/** Runs queued commands as a worker does. @returns its log so far, and how to stop it before the test ends */
export async function startRconWorker(api: TestApi, env: Record<string, string> = {}) {
  const settings = requireProcessSettings(
    readSettings({
      NODE_ENV: 'test',
      ALLOW_HTTP: 'true',
      DATABASE_URL: api.database.url,
      APP_SECRET: api.deps.settings.APP_SECRET,
      ...env,
    }),
  )
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const deps = await openDeps('worker', settings, log, openWorkerJobs)
  const handle = createRconRunner(deps, createRconSender(deps.settings))
  await deps.jobs.boss.work(
    rconCommand.queue,
    { localConcurrency: 8, batchSize: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
    async (batch) => {
      await Promise.all(batch.map(({ data }) => handle(rconCommand.payload.parse(data))))
    },
  )
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= deps.jobs.stop().then(() => deps.pool.end())
    return stopped
  }
  onTestFinished(stop)
  return { logged: () => lines.join(''), stop }
}
