// Owners with servers and webhooks, through the API, and the stored state.
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { openDeps } from '../../../src/deps.ts'
import { queueDeliveries, type ServerEvent } from '../../../src/features/webhooks/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { startWorker } from '../../../workers/worker.ts'
import type { TestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { type Call, callerOf, serverFields } from '../servers/support.ts'

export interface Owned {
  owner: Person
  id: string
}

export interface Delivery {
  id: string
  type: string
  status: string
  attempts: number
  createdAt: string
  nextAttemptAt: string | null
  settledAt: string | null
  payload: { type: string; timestamp: string; data: Record<string, unknown> }
  log: { number: number; status: number | null; error: string | null; response: string }[]
}

export interface WebhookWorld {
  call: Call
  addServer(fields?: Record<string, unknown>): Promise<Owned>
  /** The same, with a webhook for these events. */
  addWebhook(options?: { url?: string; events?: string[] }): Promise<Owned & { secret: string }>
  set(owned: Owned, body: object): ReturnType<Call>
  event(serverId: string, type?: ServerEvent['type'], data?: object): ServerEvent
  /**
   * In a separate transaction.
   * @returns the endpoints for which a delivery was queued; those of `addWebhook` have their server's id
   */
  queue(...events: ServerEvent[]): Promise<Set<string>>
  deliveries(owned: Owned, query?: string): Promise<{ deliveries: Delivery[]; pagination: Record<string, number> }>
  /** The webhook's URL as stored: encrypted. */
  storedUrl(serverId: string): Promise<string>
  /** Writes what an attempt of the dispatch writes. */
  settle(deliveryId: string, status: 'delivered' | 'dead'): Promise<void>
  /** Wake jobs about the server. */
  wakes(serverId: string): Promise<number>
  audited(serverId: string): Promise<{ action: string; details: unknown }[]>
}

export const URL_OF_OWNER = 'https://owner.example/hook'

export function createWebhookWorld(api: TestApi): WebhookWorld {
  const { pool } = api.database
  const call = callerOf(api)

  async function addServer(fields: Record<string, unknown> = {}): Promise<Owned> {
    const owner = await addPerson(pool)
    const { body } = await call(owner, 'POST', '/servers', serverFields(fields))
    return { owner, id: (body.server as { id: string }).id }
  }

  return {
    call,
    addServer,
    async addWebhook({ url = URL_OF_OWNER, events = ['vote.created'] } = {}) {
      const owned = await addServer()
      const { status, body } = await call(owned.owner, 'PUT', `/servers/${owned.id}/webhook`, { url, events })
      if (status !== 200) throw new Error(`webhook answered ${status}: ${JSON.stringify(body)}`)
      return { ...owned, secret: String(body.secret) }
    },
    set: ({ owner, id }, body) => call(owner, 'PUT', `/servers/${id}/webhook`, body),
    event: (serverId, type = 'vote.created', data = { serverId }) => ({ serverId, type, at: new Date(), data }),
    async queue(...events) {
      const queued = await inTransaction(pool, (tx) => queueDeliveries(tx, api.deps.jobs, events))
      return new Set(queued.map(({ endpointId }) => endpointId))
    },
    async deliveries({ owner, id }, query = '') {
      const { status, body } = await call(owner, 'GET', `/servers/${id}/webhook/deliveries${query}`)
      if (status !== 200) throw new Error(`deliveries answered ${status}`)
      return body as unknown as { deliveries: Delivery[]; pagination: Record<string, number> }
    },
    async storedUrl(serverId) {
      const { rows } = await pool.query<{ url: string }>('select url from endpoints where server_id = $1', [serverId])
      return rows[0]?.url ?? ''
    },
    async settle(deliveryId, status) {
      await pool.query(
        `update endpoint_deliveries set status = $2, due_at = null, settled_at = now(), attempts = attempts + 1 where id = $1`,
        [deliveryId, status],
      )
    },
    async wakes(serverId) {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*) from pgboss.job where name = 'webhook' and data->>'endpointId' = $1`,
        [serverId],
      )
      return rows[0]?.count ?? 0
    },
    async audited(serverId) {
      const { rows } = await pool.query<{ action: string; details: unknown }>(
        `select action, details from audit_log where target_id = $1 and action like 'webhook.%' order by id`,
        [serverId],
      )
      return rows
    },
  }
}

export const unknownId = () => uuidv7()

/** A whole worker on the API's database, stopped with the test. */
export async function startTestWorker(api: TestApi): Promise<void> {
  const deps = await openDeps('worker', api.deps.settings, testLog, openWorkerJobs)
  const stop = await startWorker(deps)
  onTestFinished(async () => {
    await stop()
    await deps.pool.end()
  })
}
