// A user with favorites, polls of their servers, and time that passes for alerts without waiting.
import { reportFired, runAlertsWipes } from '../../../src/features/alerts/index.ts'
import { handleNotice, Notice } from '../../../src/features/notifications/index.ts'
import { applyResults } from '../../../src/features/polling/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { createAlertPushHandler } from '../../../workers/push/push-message.handler.ts'
import { startTestApi, type TestApi, type TestApiOptions } from '../../support/api.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { startPushService } from '../../support/push-service.ts'
import { RULES } from '../../workers/polling/support.ts'

export const BASE = 'http://directory.example'

export interface Notified {
  event: string
  title: string
  message: string
  count: number
}

/** @param options of the API; the push service is the test's */
export async function createAlertsWorld(options: TestApiOptions = {}) {
  const service = await startPushService()
  const api: TestApi = await startTestApi({
    ...options,
    settings: {
      ALLOW_PRIVATE_TARGETS: 'true',
      PUSH_SERVICE_BASE_URL: service.origin,
      PUBLIC_BASE_URL: BASE,
      ...options.settings,
    },
  })
  const { deps } = api
  const { pool } = api.database
  const sendPush = createAlertPushHandler(deps)
  let port = 22_000

  const call = (method: string, { cookie }: Pick<Person, 'cookie'>, path: string, body?: object) =>
    api.request(`/api${path}`, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })

  async function takeJobs<Payload>(queue: string): Promise<{ id: string; data: Payload }[]> {
    const { rows } = await pool.query('delete from pgboss.job where name = $1 returning id, data', [queue])
    return rows
  }

  return {
    api,
    deps,
    pool,
    service,
    sendPush,
    call,
    takeJobs,
    /** A listed server that answered, with these people. */
    async addServer(players = 0): Promise<string> {
      const address = { ipAddress: '192.0.2.7', gamePort: port, queryPort: port++ }
      const { id } = await createServers({ pool }).add({ name: 'Nordland', ...address })
      await this.poll([id], players)
      return id
    },
    /** A user with this server as a favorite, and these alerts. */
    async addFan(serverId: string, alerts: object = {}): Promise<Person> {
      const person = await addPerson(pool)
      await call('POST', person, `/servers/${serverId}/favorite`)
      await this.set(person, serverId, alerts)
      return person
    },
    async set(person: Person, serverId: string, alerts: object) {
      const response = await call('PUT', person, `/servers/${serverId}/favorite/alerts`, alerts)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return fieldsOf(response)
    },
    addBrowser: (person: Person, language = 'en') =>
      call('POST', person, '/user/push-browsers', { language, push: service.subscribe() }),
    /** The next poll of servers: a number of people, or no answer. */
    async poll(
      serverIds: readonly string[],
      players: number | 'silence',
      { maxPlayers = 70, seed }: { maxPlayers?: number; seed?: string } = {},
    ) {
      const { rows } = await pool.query<{ serverId: string; cycle: number }>(
        'update server_polls set cycle = cycle + 1 where server_id = any($1::uuid[]) returning server_id as "serverId", cycle',
        [serverIds],
      )
      const answer = {
        bots: 0,
        maxPlayers,
        map: 'Isle',
        version: '1',
        hasPassword: null,
        ...(seed && { fingerprint: { seed } }),
      } as const
      return applyResults(
        deps,
        rows.map((row) =>
          players === 'silence'
            ? { ...row, answered: false as const }
            : { ...row, answered: true as const, players, ...answer },
        ),
        RULES,
      )
    },
    /** An outage of this length, that polls notice. */
    async outage(serverId: string, interval: string) {
      for (let n = 0; n < RULES.failuresToOffline; n++) await this.poll([serverId], 'silence')
      await this.pass(interval)
    },
    /** Lets time pass for alerts, after the jobs that wait. */
    async pass(interval: string): Promise<void> {
      await this.work()
      await pool.query(
        `update favorite_alerts set away_since = away_since - $1::interval, fired_at = fired_at - $1::interval, notified_at = notified_at - $1::interval`,
        [interval],
      )
    },
    /** Runs the jobs that wait, as workers do. */
    async work(): Promise<void> {
      for (const { data } of await takeJobs<Parameters<typeof reportFired>[1]>('alert-fired'))
        await reportFired(deps, data)
      for (const { id, data } of await takeJobs('notify')) await handleNotice(deps, Notice.parse(data), id)
      for (const { data } of await takeJobs<Parameters<typeof sendPush>[0]>('alert-push'))
        await sendPush(data, AbortSignal.timeout(10_000))
    },
    runWipes: () => runAlertsWipes(deps),
    /** What the user's notifications say. */
    async notifiedOf(person: Person): Promise<Notified[]> {
      await this.work()
      const { notifications } = await fieldsOf(await call('GET', person, '/user/notifications'))
      return (notifications as Notified[]).map(({ event, title, message, count }) => ({ event, title, message, count }))
    },
    /** How often an alert has fired for them. */
    async timesFired(person: Person): Promise<number> {
      return (await this.notifiedOf(person)).reduce((sum, { count }) => sum + count, 0)
    },
    alertsOf: async (person: Person) =>
      (await pool.query('select id, kind from favorite_alerts where user_id = $1 order by kind', [person.id])).rows as {
        id: string
        kind: string
      }[],
  }
}
