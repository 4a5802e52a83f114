// An operator restarts processes behind haproxy, restores a lost database from a backup, and
// follows an alert's runbook.
import { expect, inject, test } from 'vitest'
import { prepareDatabase } from '../../../src/migrate.ts'
import { startHaproxy } from '../../faults/support/balancers.ts'
import { createMembers } from '../../faults/support/members.ts'
import { startVisitors } from '../../faults/support/visitors.ts'
import { backup, begin, createEmptyDatabase, restore, temporaryFile, withPool } from '../../support/backups.ts'
import { type ApiDocument, createContract } from '../../support/contract.ts'
import { testLog } from '../../support/database.ts'
import { isMissing } from '../../support/installed.ts'
import { createClient } from '../../support/product-client.ts'
import { PASSWORD, WAIT_OPTIONS } from '../../support/started-product.ts'

const APIS = ['api 0', 'api 1']
const WORKER = 'worker 0'

test.skipIf(isMissing('haproxy'))(
  'an operator restarts both API processes without a lost request, restores the database, and replaces a missing worker',
  async () => {
    const url = await createEmptyDatabase(inject('postgresUrl'))
    await prepareDatabase({ DATABASE_URL: url }, testLog)
    const onDatabase = (statement: string) => withPool(url, (pool) => pool.query(statement))
    const run = (command: 'adopt' | 'queues') => begin(command, [], { DATABASE_URL: url }).ended
    const members = createMembers(url, {
      DRAIN_SECONDS: '5',
      TRUST_PROXY: '1',
      CONTACT_EMAIL: 'operator@example.com',
      LOG_LEVEL: 'warn',
      DIRECTORY_MAX_STALENESS_SECONDS: '10', // a busy machine may stop a process for seconds
    })
    await members.start(...APIS, WORKER)
    const base = await startHaproxy(APIS.map(members.url))
    const document = (await (await fetch(`${base}/api/openapi.json`)).json()) as ApiDocument
    const owner = createClient({ url: base, contract: createContract(document) })
    const account = { email: 'ada@example.com', username: 'Ada', password: PASSWORD }
    expect((await owner.post('/api/auth/register', account)).status).toBe(201)
    const place = { name: 'The isle', ipAddress: '127.0.27.16', gamePort: 7777 }
    const { server } = (await owner.post<{ server: { id: string } }>('/api/servers', place)).body

    const visitors = startVisitors(base, { serverId: server.id, name: 'restarts', voteOneIn: 8 })
    for (const api of APIS) await members.restart(api)
    await visitors.stop()
    expect(visitors.failures).toEqual([])
    const shown = async () => (await owner.get<{ servers: object[] }>('/api/user/servers')).body.servers
    const before = { id: server.id, name: place.name, totalVotes: visitors.votes() }
    await expect.poll(shown, WAIT_OPTIONS).toMatchObject([before])

    const file = temporaryFile('directory.backup')
    expect(await backup(file, url)).toMatchObject({ code: 0 })
    const name = new URL(url).pathname.slice(1)
    const onServer = (statement: string) =>
      withPool(inject('postgresUrl'), (pool) => pool.query(statement.replace('$name', name)))
    await onServer('drop database $name with (force)')
    await expect.poll(async () => (await fetch(`${base}/api/public/stats`)).status, WAIT_OPTIONS).toBe(503)
    await Promise.all([...APIS, WORKER].map(members.stop))
    await onServer(`create database $name template template0 encoding 'UTF8'`)
    expect(await restore(file, url)).toMatchObject({ code: 0 })
    expect(await run('adopt')).toMatchObject({ code: 0 })
    await members.start(...APIS, WORKER)
    await expect.poll(async () => (await fetch(`${base}/api/public/stats`)).status, WAIT_OPTIONS).toBe(200)
    expect(await shown()).toMatchObject([before]) // with the session from before

    // Alert NoWorker in docs/OPERATIONS.md.
    await members.stop(WORKER)
    const letter = { name: 'Ada', email: account.email, message: 'Is anybody there?' }
    expect((await owner.post('/api/contact', letter)).status).toBe(200)
    await onDatabase(`update pgboss.queue set monitor_on = monitor_on - interval '2 minutes',
      monitor_claim_on = monitor_claim_on - interval '2 minutes'`)
    const seen = await run('queues')
    expect(seen).toMatchObject({ code: 1, out: expect.stringMatching(/^mail +stuck/m) })
    expect(seen.out).toContain('npm run start:worker')
    await members.start(WORKER)
    await expect.poll(() => run('queues'), WAIT_OPTIONS).toMatchObject({ code: 0 })
    const { rows } = await onDatabase(`select state from pgboss.job where name = 'mail'`)
    expect(rows.every(({ state }) => state === 'completed')).toBe(true)
    members.expectAllRunning()
  },
)
