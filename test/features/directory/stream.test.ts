// The live stream: its events, how it resumes, and the limits for slow or many readers.
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLiveHub, HUB_TIMING } from '../../../src/features/directory/feed/live-hub.ts'
import { droppedStreams } from '../../../src/features/directory/metrics.ts'
import { notifyDirectory } from '../../../src/features/servers/index.ts'
import { startTestApi } from '../../support/api.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { bearer, createKey } from '../api-keys/support.ts'
import { changes, listed } from './followers.ts'
import { createGateway } from './gateway.ts'
import { editServer, insertServer, putStatus, putVotes, setDeleted } from './rows-in-database.ts'
import { openStream, type StreamClient, startBareServer } from './streams.ts'

const soon = { timeout: 20_000, interval: 10 }
const api = await startTestApi({ settings: { STREAMS_PER_ADDRESS: '3', TRUST_PROXY: '1' } })
const { pool } = api.database
const STREAM = `${api.url}/api/v1/servers/stream`
const tell = () => notifyDirectory(pool)
let addresses = 0
/** Each test has its own address. */
const from = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })

describe('a stream', () => {
  it('sends changes from now on as items of the list, and removals, each with the cursor to resume from', async () => {
    const before = await insertServer(pool, { name: 'Before' })
    await api.directory.refresh()
    const client = await openStream(STREAM, from())
    expect(client.status).toBe(200)
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    const id = await insertServer(pool, { name: 'New\nand "quoted"' })
    await putVotes(pool, id, 4)
    await tell()
    await vi.waitFor(() => expect(client.events).toHaveLength(1), soon)
    const list = (await (await api.request('/api/servers?search=quoted')).json()) as {
      servers: { rank: number; score: number }[]
    }
    const { rank: _rank, score: _score, ...item } = list.servers[0] ?? {}
    expect(client.events[0]).toEqual({ id: client.lastId, event: 'server', data: item })
    await setDeleted(pool, before, true)
    await tell()
    await vi.waitFor(() => expect(client.events).toHaveLength(2), soon)
    expect(client.events[1]).toEqual({ id: client.lastId, event: 'removed', data: { id: before } })
    const { status, headers, events } = client
    const body = events.map(({ event, id, data }) => `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
    const given = {
      method: 'GET',
      target: '/api/servers/stream',
      status,
      headers: new Headers(headers as Record<string, string>),
    }
    expect(() => api.contract.check({ ...given, body: body.join('') })).not.toThrow()
    expect(() => api.contract.check({ ...given, body: body.join('').replace('removed', 'gone') })).toThrow(
      'must be equal',
    )
    // The feed has the same cursors.
    expect(await changes(api.directory, client.events[0]?.id)).toMatchObject({ servers: [], removed: [before] })
  })

  it('resumes after any event without a gap, also with ?cursor= and with a cursor of the feed', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => insertServer(pool, { name: `Resumed ${n}` })))
    await api.directory.refresh()
    let { cursor, hasMore } = await changes(api.directory, undefined, 1000)
    while (hasMore) ({ cursor, hasMore } = await changes(api.directory, cursor, 1000))
    await pool.query('update servers set description = $2 where id = any($1)', [ids, 'resumed'])
    await api.directory.refresh()
    const all = await openStream(STREAM, { ...from(), 'last-event-id': cursor })
    await vi.waitFor(() => expect(all.events.map(({ data }) => data.id).sort()).toEqual([...ids].sort()), soon)
    all.close()
    for (const [n, event] of all.events.entries()) {
      const rest = all.events.slice(n + 1).map(({ data }) => data.id)
      const header = await openStream(STREAM, { ...from(), 'last-event-id': event.id })
      const query = await openStream(`${STREAM}?cursor=${event.id}`, from())
      for (const client of [header, query]) {
        await vi.waitFor(() => expect(client.events.map(({ data }) => data.id)).toEqual(rest), soon)
        client.close()
      }
    }
  })

  it('limited to some servers sends only theirs', async () => {
    const [wanted, other] = [await insertServer(pool), await insertServer(pool)]
    await api.directory.refresh()
    const client = await openStream(`${STREAM}?ids=nothing,%20${wanted.toUpperCase()}`, from())
    await vi.waitFor(() => expect(client.comments).toEqual(['connected']), soon)
    await putVotes(pool, other, 1)
    await api.directory.refresh()
    await putVotes(pool, wanted, 1)
    await tell()
    await vi.waitFor(() => expect(client.events).toMatchObject([{ data: { id: wanted, totalVotes: 1 } }]), soon)
  })

  it('limited to some servers sends at once what changed of them since its cursor, and reads past no others', async () => {
    const [changed, quiet, gone] = [await insertServer(pool), await insertServer(pool), await insertServer(pool)]
    await api.directory.refresh()
    const cursor = api.directory.lookup.cursor()
    await Promise.all(Array.from({ length: 60 }, () => insertServer(pool)))
    await putVotes(pool, changed, 7)
    await setDeleted(pool, gone, true)
    await api.directory.refresh()
    const unknown = Array.from({ length: 60 }, () => randomUUID())
    const client = await openStream(
      `${STREAM}?cursor=${cursor}&ids=${[quiet, gone, changed, 'nothing', ...unknown]}`,
      from(),
    )
    await vi.waitFor(
      () =>
        expect(client.events).toMatchObject([
          { event: 'removed', data: { id: gone } },
          { event: 'server', data: { id: changed, totalVotes: 7 } },
        ]),
      soon,
    )
    const rest = await changes(api.directory, client.lastId)
    expect(rest).toMatchObject({ servers: [], removed: [], hasMore: false })
    await putVotes(pool, quiet, 1)
    await tell()
    await vi.waitFor(() => expect(client.events[2]).toMatchObject({ data: { id: quiet, totalVotes: 1 } }), soon)
  })

  it('limited to some servers sends all of them from a cursor that it can’t continue from', async () => {
    const [first, second, gone] = [await insertServer(pool), await insertServer(pool), await insertServer(pool)]
    await setDeleted(pool, gone, true)
    await api.directory.refresh()
    const ofAnotherDatabase = { ...from(), 'last-event-id': 'abcdefgh.1-0.1' }
    const client = await openStream(`${STREAM}?ids=${gone},${second},${first}`, ofAnotherDatabase)
    expect(client.status).toBe(200)
    await vi.waitFor(() => expect(client.events).toHaveLength(3), soon)
    const [removed, ...sent] = client.events
    expect(removed).toMatchObject({ event: 'removed', data: { id: gone } })
    expect(sent.map(({ event, data }) => `${event} ${data.id}`).sort()).toEqual(
      [first, second].map((id) => `server ${id}`).sort(),
    )
    for (const [n, event] of client.events.entries()) {
      const again = await openStream(`${STREAM}?ids=${gone},${second},${first}`, {
        ...from(),
        'last-event-id': event.id,
      })
      const rest = client.events.slice(n + 1)
      await vi.waitFor(() => expect(again.events).toEqual(rest), soon)
    }
  })

  it('limited to some servers reads the database before it continues from a cursor of another process', async () => {
    const id = await insertServer(pool)
    await putVotes(pool, id, 1)
    await api.directory.refresh()
    const [feedId, , at] = api.directory.lookup.cursor().split('.')
    await putVotes(pool, id, 2)
    for (const cursor of ['abcdefgh.1-0.1', `${feedId}.zzzzzzz-0.${at}`]) {
      const client = await openStream(`${STREAM}?ids=${id}&cursor=${cursor}`, from())
      await vi.waitFor(() => expect(client.events[0]).toMatchObject({ data: { id, totalVotes: 2 } }), soon)
    }
  })

  it('is refused with an invalid or foreign cursor, and past the limit of an address', async () => {
    const address = from()
    const bad = await openStream(`${STREAM}?cursor=nonsense`, address)
    await vi.waitFor(() => expect(JSON.parse(bad.body)).toMatchObject({ error: 'validation_failed' }), soon)
    const foreign = await openStream(STREAM, { ...address, 'last-event-id': 'abcdefgh.1-0.1' })
    await vi.waitFor(() => expect(JSON.parse(foreign.body)).toMatchObject({ error: 'cursor_expired' }), soon)
    expect([bad.status, foreign.status]).toEqual([400, 400])

    const three = await Promise.all([1, 2, 3].map(() => openStream(STREAM, address)))
    const fourth = await openStream(STREAM, address)
    expect([...three, fourth].map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const refused = await api.request('/api/servers/stream', { headers: address })
    expect(await refused.json()).toMatchObject({ error: 'too_many_streams' })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await openStream(STREAM, from())).status).toBe(200)
    three[0]?.close()
    await vi.waitFor(async () => expect((await openStream(STREAM, address)).status).toBe(200), soon)
  })

  it('is refused past the limit of an account, for any of its keys and from any address', async () => {
    const owner = await addPerson(pool, { tier: 'standard' })
    const keys = [bearer(await createKey(api, owner)), bearer(await createKey(api, owner))]
    const three = await Promise.all([0, 1, 0].map((n) => openStream(STREAM, { ...from(), ...keys[n] })))
    expect(three.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const key of keys) expect((await openStream(STREAM, { ...from(), ...key })).status).toBe(429)
    expect((await openStream(STREAM, from())).status).toBe(200)
    three[0]?.close()
    const last = from()
    await vi.waitFor(async () => expect((await openStream(STREAM, { ...last, ...keys[1] })).status).toBe(200), soon)
  })

  it('with a key counts for its address, too', async () => {
    const address = from()
    for (const n of [1, 2, 3]) {
      const key = await createKey(api, await addPerson(pool, { tier: 'standard' }))
      expect((await openStream(STREAM, { ...address, ...bearer(key) })).status, String(n)).toBe(200)
    }
    expect((await openStream(STREAM, address)).status).toBe(429)
    const key = await createKey(api, await addPerson(pool, { tier: 'standard' }))
    expect((await openStream(STREAM, { ...address, ...bearer(key) })).status).toBe(429)
  })

  it('is refused past the limit also when many wait for the same refresh', async () => {
    const ahead = await startTestApi({ database: api.database })
    await insertServer(pool)
    await ahead.directory.refresh()
    let page = await changes(ahead.directory, undefined, 1000)
    while (page.hasMore) page = await changes(ahead.directory, page.cursor, 1000)
    const address = from()
    const many = Array.from({ length: 12 }, () => openStream(STREAM, { ...address, 'last-event-id': page.cursor }))
    const statuses = (await Promise.all(many)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(429)])
  })

  it('answers HEAD with headers only', async () => {
    const response = await fetch(STREAM, { method: 'HEAD', headers: from() })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ])
  })
})

it('a client that disconnects repeatedly, from different processes, ends with exactly the list', async () => {
  const database = await createTestDatabase()
  const servers = [await startBareServer(database, HUB_TIMING), await startBareServer(database, HUB_TIMING)]
  const ids: string[] = []
  for (let n = 0; n < 30; n++) ids.push(await insertServer(database.pool, { name: `Server ${n}` }))
  const directory = servers[0]?.directory
  if (!directory) throw new Error('no directory')
  await directory.refresh()
  const copy = new Map<string, unknown>()
  let { cursor } = await changes(directory, undefined, 7) // the middle of the feed’s first run
  const first = await changes(directory, undefined, 7)
  for (const server of first.servers) copy.set(server.id, server)
  cursor = first.cursor

  let isWriting = true
  const writing = (async () => {
    for (let n = 0; n < 1_000; n++) {
      const id = ids[randomInt(ids.length)] ?? ''
      const kind = randomInt(5)
      if (kind === 0) ids.push(await insertServer(database.pool, { name: `Later ${n}` }))
      if (kind === 1) await editServer(database.pool, id, { name: `Edit ${n}`, region: '', tags: [], rates: '' })
      if (kind === 2) await putStatus(database.pool, id, { currentPlayers: n })
      if (kind === 3) await putVotes(database.pool, id, n)
      if (kind === 4) await setDeleted(database.pool, id, randomInt(2) === 0)
      if (n % 3 === 0) await notifyDirectory(database.pool)
    }
    isWriting = false
  })()
  async function follow(client: StreamClient, enough: () => boolean) {
    await vi.waitFor(() => expect(enough()).toBe(true), soon)
    client.close()
    for (const { event, data } of client.events) {
      if (event === 'removed') copy.delete(String(data.id))
      else copy.set(String(data.id), data)
    }
    cursor = client.lastId
  }
  while (isWriting) {
    const url = servers[randomInt(2)]?.url ?? ''
    const client = await openStream(url, { 'last-event-id': cursor })
    const wanted = 1 + randomInt(20)
    await follow(client, () => client.events.length >= wanted || !isWriting)
  }
  await writing
  await Promise.all(servers.map((server) => server.directory.refresh()))
  const list = await listed(directory)
  const last = await openStream(servers[1]?.url ?? '', { 'last-event-id': cursor })
  await follow(last, () => {
    const now = new Map(copy)
    for (const { event, data } of last.events) {
      if (event === 'removed') now.delete(String(data.id))
      else now.set(String(data.id), data)
    }
    return JSON.stringify([...now].sort()) === JSON.stringify([...list].sort())
  })
  expect(copy).toEqual(list)
})

it('heartbeats show that a quiet stream is open, and advance the cursor', async () => {
  const database = await createTestDatabase()
  const server = await startBareServer(database, { heartbeatMs: 50, stalledMs: 10_000 })
  const client = await openStream(server.url)
  const began = client.lastId
  await vi.waitFor(() => {
    expect(client.comments.filter((comment) => comment === 'heartbeat').length).toBeGreaterThan(2)
    expect(client.lastId).not.toBe(began)
  }, soon)
  expect(client.events).toEqual([])
})

it('a reader that stops is disconnected; its data is not buffered without limit, and others do not wait', async () => {
  const database = await createTestDatabase()
  const server = await startBareServer(database, { heartbeatMs: 200, stalledMs: 1_000 })
  await Promise.all(Array.from({ length: 300 }, () => insertServer(database.pool, { description: 'x'.repeat(2000) })))
  await server.directory.refresh()
  const [slow, reader] = [await openStream(server.url), await openStream(server.url)]
  slow.pause()
  const dropped = async () => (await droppedStreams.get()).values[0]?.value ?? 0
  const before = await dropped()
  let rounds = 0
  // More than the network's buffers hold, repeatedly.
  while ((await dropped()) === before && rounds < 500) {
    rounds++
    await database.pool.query('update servers set region = $1', [`Round ${rounds}`])
    await server.directory.refresh()
    await vi.waitFor(() => expect(reader.events.at(-1)?.data.region).toBe(`Round ${rounds}`), soon)
  }
  expect(await dropped()).toBe(before + 1)
  slow.resume()
  await vi.waitFor(() => expect(slow.isClosed).toBe(true), soon)
  expect(reader.isClosed).toBe(false)
  expect(server.mostBuffered()).toBeLessThan(2 * 1024 * 1024)
  // It received whole events, and can resume from the last one.
  const again = await openStream(server.url, { 'last-event-id': slow.lastId })
  await vi.waitFor(() => expect(again.events.at(-1)?.data.region).toBe(`Round ${rounds}`), soon)
})

it('a thousand streams of one process each receive the event, and end when it stops', async () => {
  const many = await startTestApi({ settings: { STREAMS_PER_ADDRESS: '0' } })
  const clients: StreamClient[] = []
  for (let n = 0; n < 20; n++)
    clients.push(...(await Promise.all(Array.from({ length: 50 }, () => openStream(`${many.url}/api/servers/stream`)))))
  const id = await insertServer(many.database.pool)
  await notifyDirectory(many.database.pool)
  await vi.waitFor(() => {
    for (const client of clients) expect(client.events).toMatchObject([{ event: 'server', data: { id } }])
  }, soon)
  // Other requests are served meanwhile.
  expect((await many.request('/api/public/servers')).status).toBe(200)
  const stopped = many.stop()
  await vi.waitFor(() => expect(clients.filter(({ isClosed }) => !isClosed)).toEqual([]), soon)
  await stopped
})

it('when the directory is out of date, streams end and none opens until it is up to date again', async () => {
  const database = await createTestDatabase()
  const gateway = await createGateway(database.url)
  let late = 0
  const server = await startBareServer(
    { ...database, url: gateway.url },
    { heartbeatMs: 50, stalledMs: 10_000 },
    () => Date.now() + late,
  )
  const client = await openStream(server.url)
  await gateway.cut()
  await expect(server.directory.refresh()).rejects.toThrow()
  expect(client.isClosed).toBe(false)
  late = 60_000
  await vi.waitFor(() => expect(client.isClosed).toBe(true), soon)
  expect((await openStream(server.url)).status).toBe(503)
  const id = await insertServer(database.pool)
  await gateway.restore()
  await vi.waitFor(async () => expect((await openStream(server.url)).status).toBe(200), soon)
  const resumed = await openStream(server.url, { 'last-event-id': client.lastId })
  await vi.waitFor(() => expect(resumed.events).toMatchObject([{ data: { id } }]), soon)
  await server.directory.stop()
  await gateway.close()
})

it('a client that has disconnected before its stream opens is forgotten', async () => {
  const hub = createLiveHub({ log: testLog, view: () => expect.fail(), isFollowable: () => true, timing: HUB_TIMING })
  onTestFinished(() => hub.stop())
  const opened = Promise.withResolvers<void>()
  const server = http.createServer((_req, res) => {
    res.once('close', () => {
      hub.open(res, {
        holders: ['a client'],
        cursor: { feedId: 'abcdefgh', base: undefined, baseTime: 0, run: undefined },
        ids: undefined,
      })
      opened.resolve()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => socket.destroy())
  await opened.promise
  expect([hub.size(), hub.openOf('a client')]).toEqual([0, 0])
})
