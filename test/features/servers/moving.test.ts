// A moved server: its address, ports, game, region and tags change, and no state of the former server remains.
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { createClaimChecks, readPendingTokens, toChecks } from '../../../src/features/claims/index.ts'
import {
  applyResults,
  enqueueDue,
  findTargets,
  type PollBatch,
  poll,
  pollRules,
  rescheduleUnpolled,
} from '../../../src/features/polling/index.ts'
import { setHidden } from '../../../src/features/servers/index.ts'
import { recordFingerprints } from '../../../src/features/wipes/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { emptyTables } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { storedSamples } from '../../support/stored-samples.ts'
import { createClaimWorld, createPollOnce } from '../claims/support.ts'
import { callerOf, serverFields } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { call, list, claim, listing, statusOf } = createClaimWorld(api)
const pollOnce = await createPollOnce(api)
const checks = createClaimChecks({ pool, jobs: api.deps.jobs })

afterEach(async () => {
  await emptyTables(pool, 'servers') // `pollOnce` polls whatever is listed
})

const prove = (id: string) => pool.query('update servers set is_verified = true where id = $1', [id])
const shown = async (id: string) => (await call(undefined, 'GET', `/servers/${id}`)).body
const move = async (who: Parameters<typeof call>[0], id: string, fields: object) => {
  const { status, body } = await call(who, 'PATCH', `/servers/${id}`, fields)
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const audited = async (id: string) =>
  (await pool.query('select actor_id, action, details from audit_log where target_id = $1 order by id', [id])).rows
const stored = async (id: string) =>
  (
    await pool.query(
      `select is_online as "isOnline", current_players as players, map, applied_cycle = cycle as "isApplied",
         next_poll_at <= now() as "isDue"
       from server_status join server_polls using (server_id) where server_id = $1`,
      [id],
    )
  ).rows[0]

/** Claims due servers and takes the batches out of the queue, as a worker does. */
async function claimBatches(): Promise<PollBatch[]> {
  await pool.query(`update server_polls set next_poll_at = now() - interval '1 second'`)
  await enqueueDue(api.deps, { limit: 10_000, intervalSeconds: 60 })
  const jobs = await api.deps.jobs.boss.fetch<PollBatch>(poll.queue, { batchSize: 100 })
  for (const { id } of jobs) await api.deps.jobs.boss.complete(poll.queue, id)
  return jobs.map(({ data }) => data)
}
const targetOf = async (id: string) => {
  const targets = await Promise.all((await claimBatches()).map((batch) => findTargets(pool, batch)))
  const target = targets.flat().find(({ serverId }) => serverId === id)
  if (!target) throw new Error('the server was not due')
  return target
}

describe('a changed address', () => {
  test('keeps owner, votes and history, ends the proof, resets the status, and is polled at once', async () => {
    const { id, owner } = await list({ address: '127.0.0.1', info: { map: 'Former', players: 7 } })
    const other = await startSimulatedServer({ info: { map: 'Present', players: 3 } })
    onTestFinished(() => other.close())
    await pollOnce()
    await prove(id)
    await pool.query('update server_counters set total_votes = 5 where server_id = $1', [id])
    await api.directory.refresh()
    const before = await shown(id)
    expect(before).toMatchObject({ isOnline: true, currentPlayers: 7, map: 'Former', isVerified: true })

    const place = { ipAddress: other.address, gamePort: other.port, queryPort: other.port }
    const reset = { isOnline: false, currentPlayers: 0, maxPlayers: 0, map: '', version: '', lastPolledAt: null }
    const moved = { ...place, ...reset, isVerified: false, isStale: true, totalVotes: 5 }
    expect(await move(owner, id, place)).toMatchObject(moved)
    expect(await shown(id)).toMatchObject(moved)
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: false })
    expect(await stored(id)).toMatchObject({ isDue: true })
    expect(await audited(id)).toEqual([
      {
        actor_id: owner.id,
        action: 'server.update',
        details: {
          before: { gamePort: before.gamePort, queryPort: before.queryPort },
          after: { gamePort: other.port, queryPort: other.port },
        },
      },
    ])

    await pollOnce()
    await api.directory.refresh()
    expect(await shown(id)).toMatchObject({ isOnline: true, currentPlayers: 3, map: 'Present', totalVotes: 5 })
    expect(await storedSamples(pool, [id])).toMatchObject([{ players: 7 }, { players: 3 }])
    const lookup = async (port: unknown) =>
      (await call(undefined, 'POST', '/v1/servers/lookup', { addresses: [`127.0.0.1:${port}`] })).body
    expect(await lookup(other.port)).toMatchObject({ servers: [{ id }], missing: [] })
    expect(await lookup(before.queryPort)).toMatchObject({ servers: [] })
  })

  test.each([
    [{ ipAddress: '10.55.0.1' }],
    [{ gamePort: 7779 }],
    [{ queryPort: 27_019 }],
    [{ ipAddress: 'Play.Example.com', gamePort: 7778, queryPort: 27_018 }],
  ])('ends the proof with %j', async (fields) => {
    const { id, owner } = await list()
    await prove(id)
    await move(owner, id, { ...fields, name: 'Moved too' })
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: false })
    const [{ details }] = await audited(id)
    expect(Object.keys(details.after).sort()).toEqual([...Object.keys(fields), 'name'].sort())
  })

  test('is proven again by a new claim', async () => {
    const { id, owner, token, game } = await list()
    game.info.name = token
    await pollOnce()
    expect(await statusOf(owner, id)).toMatchObject({ status: 'verified' })
    const other = await startSimulatedServer()
    onTestFinished(() => other.close())
    await move(owner, id, { ipAddress: other.address, queryPort: other.port })
    expect(await statusOf(owner, id)).toMatchObject({ status: 'none' })
    const { body } = await call(owner, 'POST', `/servers/${id}/claim`)
    other.info.name = String(body.verificationToken)
    await pollOnce()
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: true })
  })

  test('that equals the old one changes nothing', async () => {
    const { id, owner } = await list()
    await pollOnce()
    await prove(id)
    await api.directory.refresh()
    const { ipAddress, gamePort, queryPort } = await shown(id)
    await move(owner, id, { ipAddress, gamePort, queryPort, name: 'Same place' })
    expect(await listing(id)).toMatchObject({ isVerified: true })
    expect(await stored(id)).toMatchObject({ isOnline: true, isDue: false })
    expect(await audited(id)).toEqual([])
  })

  test('by an administrator is recorded once', async () => {
    const { id, owner } = await list({ address: '127.0.0.1' })
    const admin = await addPerson(pool, { isAdmin: true })
    await move(admin, id, { ipAddress: '10.55.0.2' })
    expect(await audited(id)).toEqual([
      {
        actor_id: admin.id,
        action: 'server.update',
        details: { before: { ipAddress: '127.0.0.1' }, after: { ipAddress: '10.55.0.2' } },
      },
    ])
    expect(await listing(id)).toMatchObject({ ownerId: owner.id })
  })

  test('that is not public is refused where such servers are not polled', async () => {
    const strict = await startTestApi({ database: api.database, settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
    onTestFinished(strict.stop)
    const there = callerOf(strict)
    const { id, owner } = await list()
    for (const ipAddress of ['127.0.0.2', '10.0.0.1', '169.254.169.254', '0.0.0.0', '224.0.0.1', '::1', 'fd00::1']) {
      const { status, body } = await there(owner, 'PATCH', `/servers/${id}`, { ipAddress })
      expect([ipAddress, status]).toEqual([ipAddress, 400])
      expect(body).toMatchObject({ details: [{ path: 'body.ipAddress', message: 'must be a public address' }] })
    }
    for (const ipAddress of ['0x7f.1', '127.1', 'a b', 'http://10.0.0.1'])
      expect((await there(owner, 'PATCH', `/servers/${id}`, { ipAddress })).status).toBe(400)
    for (const ipAddress of ['224.0.0.1', '0.0.0.0', '255.255.255.255', 'ff02::1', '::'])
      expect((await call(owner, 'PATCH', `/servers/${id}`, { ipAddress })).status).toBe(400)
    expect(await move(owner, id, { ipAddress: '9.9.9.8' })).toMatchObject({ ipAddress: '9.9.9.8' })
  })

  test('hides the server until its next proof where listing requires one', async () => {
    const strict = await startTestApi({ database: api.database, settings: { LISTING_REQUIRES_VERIFICATION: 'true' } })
    onTestFinished(strict.stop)
    const there = callerOf(strict)
    const { id, owner } = await list()
    await prove(id)
    await strict.directory.refresh()
    expect((await there(undefined, 'GET', `/servers/${id}`)).status).toBe(200)
    expect((await there(owner, 'PATCH', `/servers/${id}`, { gamePort: 7780 })).status).toBe(200)
    expect((await there(undefined, 'GET', `/servers/${id}`)).status).toBe(404)
  })
})

describe('a listed address', () => {
  test('is refused and changes nothing, and is free again once its listing is removed', async () => {
    const [here, there] = [await list(), await list()]
    await prove(here.id)
    const { ipAddress, queryPort } = await shown(there.id)
    const taken = { ipAddress, queryPort, name: 'Not renamed' }
    expect(await call(here.owner, 'PATCH', `/servers/${here.id}`, taken)).toMatchObject({
      status: 400,
      body: {
        error: 'already_listed',
        message: expect.stringContaining(`${ipAddress}:${queryPort} is already listed as server ${there.id}`),
      },
    })
    expect((await shown(here.id)).name).not.toBe('Not renamed')
    expect(await listing(here.id)).toMatchObject({ isVerified: true })
    expect(await audited(here.id)).toEqual([])
    await call(there.owner, 'DELETE', `/servers/${there.id}`)
    await move(here.owner, here.id, taken)
  })

  test('goes to one of two owners who move there at once', async () => {
    const [one, two] = [await list(), await list()]
    const place = { ipAddress: '10.55.1.1', queryPort: 27_015 }
    const replies = await Promise.all([one, two].map(({ id, owner }) => call(owner, 'PATCH', `/servers/${id}`, place)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('of one listing, moved by its owner and an administrator at once, is the later one’s, unproven', async () => {
    const { id, owner } = await list()
    const admin = await addPerson(pool, { isAdmin: true })
    await prove(id)
    const replies = await Promise.all(
      [owner, admin].map((who, n) => call(who, 'PATCH', `/servers/${id}`, { ipAddress: `10.55.2.${n + 1}` })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const log = await audited(id)
    expect(log).toHaveLength(2)
    expect(log[1].details.before).toEqual(log[0].details.after)
    expect(await shown(id)).toMatchObject({ ...log[1].details.after, isVerified: false })
    expect(await stored(id)).toMatchObject({ isApplied: true, isDue: true })
  })
})

describe('while a server moves', () => {
  const answer = {
    answered: true,
    players: 99,
    bots: 0,
    maxPlayers: 100,
    map: 'Former',
    version: '1',
    hasPassword: null,
  } as const

  test('a poll of the former address changes neither the status nor the new address’ next poll', async () => {
    const { id, owner } = await list()
    const { cycle, serverId } = await targetOf(id)
    await move(owner, id, { ipAddress: '10.55.3.1' })
    for (const result of [answer, { answered: false } as const])
      expect(await applyResults(api.deps, [{ serverId, cycle, ...result }], pollRules(api.deps.settings))).toEqual([])
    await rescheduleUnpolled(pool, [{ serverId, cycle }], 3_600)
    expect(await findTargets(pool, { servers: [{ serverId, cycle }] })).toEqual([])
    expect(await stored(id)).toMatchObject({ isOnline: false, players: 0, map: '', isDue: true })
    expect(await targetOf(id)).toMatchObject({ ipAddress: '10.55.3.1' })
  })

  test('also when the server is hidden and shown again in between', async () => {
    const { id } = await list()
    await targetOf(id)
    const { cycle, serverId } = await targetOf(id) // the earlier poll's result is delayed
    await setHidden(pool, id, true)
    await move(await addPerson(pool, { isAdmin: true }), id, { ipAddress: '10.55.3.2' })
    await setHidden(pool, id, false)
    expect(await applyResults(api.deps, [{ serverId, cycle, ...answer }], pollRules(api.deps.settings))).toEqual([])
    expect(await targetOf(id)).toMatchObject({ ipAddress: '10.55.3.2' })
  })

  test('a check of a claim at the former address proves nothing at the new one', async () => {
    const { id, owner } = await list()
    const { person, token } = await claim(id)
    await checks.checkNow(id, async () => {
      await move(owner, id, { ipAddress: '10.55.3.3' })
      return { shown: [token] }
    })
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: false })
    expect(await statusOf(person, id)).toMatchObject({ status: 'pending', checkedAt: null })
  })

  test('nor one that followed a service of DNS, once players type a port of its own', async () => {
    const { id, owner } = await list()
    const setPort = (port: number) =>
      pool.query(`update servers set game = 'minecraft', game_port = $2, game_port_given = true where id = $1`, [
        id,
        port,
      ])
    await setPort(25_565)
    const { person, token } = await claim(id)
    await checks.checkNow(id, async () => {
      await setPort(25_570)
      return { shown: [token] }
    })
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: false })
    expect(await statusOf(person, id)).toMatchObject({ status: 'pending', checkedAt: null })
  })

  test('a proof that is being recorded comes first and ends with the move', async () => {
    const { id, owner, token } = await list()
    const { askedAt } = await readPendingTokens(pool, [id])
    const { moving } = await inTransaction(pool, async (tx) => {
      await checks.record(tx, toChecks([token], [token]), { askedAt })
      return { moving: move(owner, id, { ipAddress: '10.55.3.4' }) }
    })
    expect(await moving).toMatchObject({ ipAddress: '10.55.3.4', isVerified: false })
    expect(await listing(id)).toEqual({ ownerId: owner.id, isVerified: false })
    expect(await statusOf(owner, id)).toMatchObject({ status: 'none' })
  })
})

test('another world at the new address is not a wipe', async () => {
  const { id, owner } = await list()
  const see = (day: number, map: string) =>
    inTransaction(pool, (tx) =>
      recordFingerprints(
        tx,
        { jobs: api.deps.jobs, justWipedDays: 7 },
        [{ serverId: id, fingerprint: { day, map } }],
        new Date(),
      ),
    )
  await see(900, 'Former')
  await move(owner, id, { ipAddress: '10.55.4.1' })
  expect(await see(2, 'Present')).toEqual([])
  expect(await see(1, 'Other')).toEqual([id]) // at an unchanged address it is one
})

test('another game resets the status and keeps the proof; region and tags change neither', async () => {
  const { id, owner } = await list()
  await pollOnce()
  await prove(id)
  const fields = { region: 'Europe', tags: 'modded, casual,Modded' }
  expect(await move(owner, id, fields)).toMatchObject({ region: 'Europe', tags: 'modded,casual', isVerified: true })
  expect(await shown(id)).toMatchObject({ region: 'Europe', tags: 'modded,casual' })
  expect(await move(owner, id, { region: '', tags: '' })).toMatchObject({ region: '', tags: '' })
  expect(await stored(id)).toMatchObject({ isOnline: true, isDue: false })

  const { queryPort } = await shown(id)
  expect(await move(owner, id, { game: 'minecraft' })).toMatchObject({ isVerified: true, isOnline: false, queryPort })
  expect(await stored(id)).toMatchObject({ isOnline: false, isDue: true })
  expect(await targetOf(id)).toMatchObject({ game: 'minecraft' })
  expect((await call(owner, 'PATCH', `/servers/${id}`, { game: 'no such game' })).body).toMatchObject({
    details: [{ path: 'body.game' }],
  })
  for (const fields of [
    { gamePort: 0 },
    { queryPort: 65_536 },
    { region: 'x'.repeat(51) },
    { tags: ['a'] },
    { ipAddress: '' },
  ])
    expect([fields, (await call(owner, 'PATCH', `/servers/${id}`, fields)).status]).toEqual([fields, 400])
  expect((await call(owner, 'PATCH', `/servers/${id}`, serverFields())).status).toBe(200)
})
