// API processes that read a streaming standby (DATABASE_READ_URL): late, stopped, frozen, in conflict and promoted.
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { checkStandby, readStandbyLag } from '../../commands/doctor/examination.ts'
import { readStandby } from '../../src/features/directory/directory.sql.ts'
import { rowsRead } from '../../src/features/directory/metrics.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { readSettings, requireProcessSettings } from '../../src/platform/config/settings.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { createReadDb, requireReadUrl } from '../../src/platform/db/read-db.ts'
import { registry } from '../../src/platform/observability/metrics.ts'
import { addServer, voteOnce } from '../features/votes/support.ts'
import { startTestApi, TEST_SECRET, type TestApi } from '../support/api.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { testLog } from '../support/database.ts'
import { findReplicating, type PostgresPair, startPostgresPair } from './support/standby.ts'

const programs = findReplicating()
const SOON = { timeout: 20_000, interval: 50 }
const MAX_STALENESS_SECONDS = 4

describe.skipIf(!programs)('a standby', () => {
  let pair: PostgresPair
  let primary: Pool
  let api: TestApi
  beforeAll(async () => {
    pair = await startPostgresPair(programs ?? '')
    primary = pair.primary
    await prepareDatabase({ DATABASE_URL: pair.url }, testLog)
    await addServer(primary, { name: 'First' })
    await standbyHasAll()
    api = await startTestApi({
      database: { url: pair.url, pool: primary },
      settings: {
        DATABASE_READ_URL: pair.standbyUrl,
        DIRECTORY_MAX_STALENESS_SECONDS: String(MAX_STALENESS_SECONDS),
      },
    })
    atFileEnd(api.stop)
  }, 120_000)

  const standbyHasAll = async () => {
    const { rows } = await primary.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn')
    const isThere = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there'
    const there = async () => (await pair.standby.query(isThere, [rows[0]?.lsn])).rows[0].there
    await vi.waitUntil(there, SOON)
  }
  const rename = (db: Pick<Pool, 'query'>, id: string, name: string) =>
    db.query('update servers set name = $2 where id = $1', [id, name])
  async function nameOf(id: string): Promise<string | number> {
    const reply = await api.request(`/api/servers/${id}`)
    return reply.status === 200 ? ((await reply.json()) as { name: string }).name : reply.status
  }
  const shows = (id: string, name: string) => expect.poll(() => nameOf(id), SOON).toBe(name)
  const isFollowed = () => expect.poll(api.directory.isOnStandby, SOON).toBe(true)
  /** Full loads of the directory so far. */
  async function loads(): Promise<number> {
    const metric = await registry.getSingleMetric('directory_refresh_duration_seconds')?.get()
    const { values } = metric as { values: { metricName?: string; labels: { kind?: string }; value: number }[] }
    return values.find((one) => one.metricName?.endsWith('_count') && one.labels.kind === 'load')?.value ?? 0
  }
  /** Connections of the API that ran a statement on player history last. */
  async function readersOf(db: Pool): Promise<number> {
    const { rows } = await db.query(`
      select count(*) from pg_stat_activity where application_name = 'api' and query ~ 'player_history'`)
    return rows[0].count
  }

  it('is what the directory and player history are read from', async () => {
    const id = await addServer(primary, { name: 'Second' })
    await shows(id, 'Second')
    await isFollowed() // on a busy machine the primary may stand in for it
    for (const path of ['player-history?range=7d', 'chart.svg?range=7d', 'banner.svg'])
      await expect.poll(async () => (await api.request(`/api/servers/${id}/${path}`)).status, SOON).toBe(200)
    expect((await api.request('/api/stats')).status).toBe(200)
    expect(await readersOf(pair.standby)).toBeGreaterThan(0)
    expect(await readersOf(primary)).toBe(0)
  })

  it('callers read their own writes', async () => {
    const id = await addServer(primary, { name: 'Voted for' })
    await shows(id, 'Voted for')
    for (let votes = 1; votes <= 5; votes++) {
      await voteOnce(api, id)
      const shown = (await (await api.request(`/api/servers/${id}`)).json()) as { totalVotes: number }
      expect(shown.totalVotes).toBe(votes)
    }
    await isFollowed()
  })

  it('misses nothing of a long transaction, and reads nothing twice because of it', async () => {
    const [early, late, other] = [
      await addServer(primary, { name: 'early' }),
      await addServer(primary, { name: 'late' }),
      await addServer(primary, { name: 'other' }),
    ]
    await shows(other, 'other')
    const long = await primary.connect()
    onTestFinished(() => long.release(true))
    await long.query('begin')
    await rename(long, early, 'early, in the long transaction')
    const { rows } = await long.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
    const xid = rows[0]?.xid ?? ''
    for (let n = 0; n < 5; n++) {
      await rename(primary, other, `other ${n}`)
      await api.directory.refresh()
      expect(await nameOf(other)).toBe(`other ${n}`)
    }
    await standbyHasAll()
    // What a standby's own snapshot hides, and what is read instead.
    const own = await pair.standby.query('select pg_visible_in_snapshot($1::xid8, pg_current_snapshot()) as seen', [
      xid,
    ])
    expect(own.rows[0].seen).toBe(true)
    expect((await readStandby(pair.standby, undefined)).snapshot.split(':')[2]).toBe(xid)
    expect(api.directory.position()?.snapshot.split(':')[2]).toBe(xid)
    await api.directory.refresh()
    const { values: before } = await rowsRead.get()
    await api.directory.refresh()
    expect((await rowsRead.get()).values).toEqual(before)

    await rename(long, late, 'late, in the long transaction')
    await long.query('commit')
    await api.directory.refresh()
    expect([await nameOf(early), await nameOf(late)]).toEqual([
      'early, in the long transaction',
      'late, in the long transaction',
    ])
    expect(await nameOf(other)).toBe('other 4')
    expect(api.directory.isOnStandby()).toBe(true)
  })

  it('shows all changes of overlapping transactions, however they interleave with reads', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => addServer(primary, { name: `Overlap ${n}` })))
    let isWriting = true
    const reading = (async () => {
      while (isWriting) await api.directory.refresh()
    })()
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let n = lane; n < ids.length; n += 4) {
        const client = await primary.connect()
        await client.query('begin')
        await rename(client, ids[n] ?? '', 'renamed')
        await client.query('select pg_sleep($1)', [((n * 7) % 10) / 50])
        await client.query('commit')
        client.release()
      }
    })
    await Promise.all(lanes)
    isWriting = false
    await reading
    await api.directory.refresh()
    expect(await Promise.all(ids.map(nameOf))).toEqual(ids.map(() => 'renamed'))
    await isFollowed()
  })

  it('refuses writes, and a conflict with what it replays is answered by the primary', async () => {
    const settings = requireProcessSettings(
      readSettings({ DATABASE_URL: pair.url, DATABASE_READ_URL: pair.standbyUrl, APP_SECRET: TEST_SECRET }),
    )
    const readDb = createReadDb({ settings, log: testLog, pool: primary, isFollowed: () => true })
    onTestFinished(readDb.stop)
    await expect(readDb.query('update servers set name = name')).rejects.toMatchObject({ code: '25006' })

    const slow = `select pg_is_in_recovery() as "onStandby", pg_sleep(case when pg_is_in_recovery() then 20 else 0 end) from contact_messages
      right join (select 1) as one on true limit 1`
    const answer = readDb.query(slow)
    const sleeps = `select count(*) from pg_stat_activity where wait_event = 'PgSleep'`
    await expect.poll(async () => (await pair.standby.query(sleeps)).rows[0].count, SOON).toBe(1)
    await primary.query('begin; lock table contact_messages in access exclusive mode; commit')
    expect((await answer).rows[0].onStandby).toBe(false)
  })

  it('is examined by the doctor', async () => {
    expect(checkStandby(await readStandbyLag(primary, pair.standby))).toMatchObject({ status: 'ok' })
    await pair.standby.query('select pg_wal_replay_pause()')
    onTestFinished(async () => void (await pair.standby.query('select pg_wal_replay_resume()')))
    await addServer(primary)
    expect(checkStandby(await readStandbyLag(primary, pair.standby))).toMatchObject({ status: 'warning' })
    expect(await readStandbyLag(primary, primary)).toBe(null)
  })

  it('that stops replaying makes the directory stale, then unavailable, until it replays again', async () => {
    const id = await addServer(primary, { name: 'Before' })
    await shows(id, 'Before')
    await isFollowed()
    await pair.standby.query('select pg_wal_replay_pause()')
    onTestFinished(async () => void (await pair.standby.query('select pg_wal_replay_resume()')))
    await rename(primary, id, 'After')
    await expect.poll(() => nameOf(id), SOON).toBe(503)
    const refused = await api.request('/api/servers')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await api.request(`/api/servers/${id}/player-history?range=24h`)).status).toBe(503)
    const ready = (await (await api.request('/readyz')).json()) as { checks: { name: string; ready: boolean }[] }
    expect(ready.checks).toContainEqual({
      name: 'directory',
      ready: false,
      reason: expect.stringMatching(/^last synchronized with the database \d+ s ago/),
    })
    expect(api.directory.ageSeconds()).toBeGreaterThan(MAX_STALENESS_SECONDS)
    await voteOnce(api, id) // writes need no standby
    await pair.standby.query('select pg_wal_replay_resume()')
    await shows(id, 'After')
  })

  it('that is away is replaced by the primary without a new load, and read again once it is back', async () => {
    const id = await addServer(primary, { name: 'Here' })
    await shows(id, 'Here')
    await isFollowed()
    const loadsBefore = await loads()
    await pair.stopStandby()
    await rename(primary, id, 'Standby stopped')
    await shows(id, 'Standby stopped')
    expect(api.directory.isOnStandby()).toBe(false)
    expect((await api.request(`/api/servers/${id}/player-history?range=24h`)).status).toBe(200)
    expect(await registry.getSingleMetricAsString('directory_standby_followed')).toContain(
      'directory_standby_followed 0',
    )
    await pair.startStandby()
    await isFollowed()
    await rename(primary, id, 'Standby started')
    await shows(id, 'Standby started')
    expect(api.directory.isOnStandby()).toBe(true)
    expect(await loads()).toBe(loadsBefore)
  })

  it('that is frozen is replaced by the primary too', async () => {
    const id = await addServer(primary, { name: 'Thawed' })
    await shows(id, 'Thawed')
    await isFollowed()
    const thaw = pair.freezeStandby()
    try {
      await rename(primary, id, 'Frozen')
      await shows(id, 'Frozen')
      expect((await api.request(`/api/servers/${id}/player-history?range=24h`)).status).toBe(200)
    } finally {
      thaw()
    }
    await isFollowed()
  })

  it('that was promoted is not read any more', async () => {
    const id = await addServer(primary, { name: 'One primary' })
    await shows(id, 'One primary')
    await isFollowed()
    await pair.standby.query('select pg_promote()')
    await rename(pair.standby, id, 'Written to the promoted standby')
    await expect.poll(api.directory.isOnStandby, SOON).toBe(false)
    await rename(primary, id, 'Two primaries')
    await shows(id, 'Two primaries')
  })

  it('of another cluster is refused', async () => {
    const settings = requireProcessSettings(
      readSettings({ DATABASE_URL: pair.url, DATABASE_READ_URL: inject('postgresUrl'), APP_SECRET: TEST_SECRET }),
    )
    await expect(requireReadUrl(settings)).rejects.toThrow(
      'bad setting: DATABASE_READ_URL leads to no standby of DATABASE_URL',
    )
  })
})
