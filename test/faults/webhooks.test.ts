// Workers killed during an attempt, and endpoints that hang, drip or stream without end.
import fs from 'node:fs'
import { expect, it } from 'vitest'
import { startProcess } from '../support/processes.ts'
import { startVotifierReceiver } from '../support/votifier-receiver.ts'
import { createWorld, startReceiver } from '../workers/webhooks/support.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const BAD = 50
const HEALTHY = 25
const ROUNDS = 60
const ROUND_MS = 150

/** Resident memory of a process, in megabytes. */
function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

it(
  'webhooks beside 50 endpoints that hang, drip or stream without end: healthy ones keep a p95 below 2 s, memory is bounded',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const world = await createWorld()
    const bad = await startReceiver((one, res) => {
      if (one.path === '/drip') {
        res.writeHead(200)
        const timer = setInterval(() => res.write('x'), 50)
        res.once('close', () => clearInterval(timer))
      }
      if (one.path === '/stream') {
        res.writeHead(200)
        const more = () => {
          while (!res.destroyed && res.write('x'.repeat(65_536)));
        }
        res.on('drain', more)
        more()
      }
    })
    const healthy = await startReceiver()
    const badOnes = await Promise.all(
      Array.from({ length: BAD }, (_, n) => world.addEndpoint(`${bad.url}/${['hang', 'drip', 'stream'][n % 3]}`)),
    )
    const healthyOnes = await Promise.all(
      Array.from({ length: HEALTHY }, (_, n) => world.addEndpoint(`${healthy.url}/${n}`)),
    )
    const worker = await startProcess('workers/main.ts', world.url, { WEBHOOK_RETRY_SCALE: '0.01' })
    const pid = worker.child.pid ?? 0

    // The bad endpoints have a backlog before the healthy ones get deliveries.
    for (const { serverId } of badOnes) for (let i = 0; i < 10; i++) await world.queue(serverId)
    await expect.poll(() => bad.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(BAD)
    const before = residentMegabytes(pid)
    let most = before
    const queuedAt = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = Date.now()
      const { serverId } = healthyOnes[round % HEALTHY] ?? { serverId: '' }
      const others = [badOnes[round % BAD], badOnes[(round * 7) % BAD]].map((one) => one?.serverId ?? '')
      queuedAt.set(await world.queue(serverId), startedAt)
      for (const other of others) await world.queue(other)
      most = Math.max(most, residentMegabytes(pid))
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAt + ROUND_MS - Date.now())))
    }
    await expect.poll(() => new Set(healthy.ids()).size, { timeout: 30_000 }).toBe(ROUNDS)

    const waits = healthy.received.map(({ id, at }) => at - (queuedAt.get(id) ?? 0)).sort((a, b) => a - b)
    const p95 = waits[Math.floor(waits.length * 0.95)] ?? Number.POSITIVE_INFINITY
    expect(p95).toBeLessThan(2_000)
    expect(most - before).toBeLessThan(80)
    // Drips and streams answered 200 and are done; deliveries to hanging endpoints are not.
    expect(
      await world.pool.query(`select from endpoint_deliveries where status = 'delivered'`).then((r) => r.rowCount),
    ).toBeGreaterThan(ROUNDS)
    run.tried('endpoints that hang, drip or stream', BAD)
    run.worked('webhooks delivered beside them', ROUNDS)
    run.worked('ms p95', p95)
    run.worked('MB more at most', Math.ceil(most - before))
    run.expectNothingLost({
      'webhooks of healthy endpoints': [...queuedAt.keys()].filter((id) => !healthy.ids().includes(id)),
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)

it(
  'webhooks under kills: a worker killed during an attempt leaves its deliveries to another, same ids, in order',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const world = await createWorld()
    let isHanging = true
    const receiver = await startReceiver((_, res) => {
      if (!isHanging) res.writeHead(204).end()
    })
    const { serverId } = await world.addEndpoint(receiver.url)
    const first = await startProcess('workers/main.ts', world.url)
    const ids = [await world.queue(serverId), await world.queue(serverId)]
    await expect.poll(() => receiver.ids(), { timeout: 20_000 }).toEqual([ids[0]])
    const ended = new Promise((resolve) => first.child.once('exit', resolve))
    first.child.kill('SIGKILL')
    run.tried('worker killed in mid-attempt')
    await ended
    isHanging = false
    await startProcess('workers/main.ts', world.url)
    ids.push(await world.queue(serverId))
    await expect.poll(() => receiver.ids(), { timeout: 50_000, interval: 200 }).toEqual([ids[0], ...ids])
    for (const id of ids)
      await expect
        .poll(() => world.delivery(id), { timeout: 10_000 })
        .toMatchObject({ status: 'delivered', attempts: 1 })
    run.worked('webhooks delivered', ids.length)
    run.worked('attempts repeated', receiver.ids().length - ids.length)
    run.expectNothingLost({ webhooks: ids.filter((id) => !receiver.ids().includes(id)) })
  },
  FAULT_RUN_TIMEOUT_MS,
)

it(
  'votes by Votifier under kills: a worker killed in mid-exchange leaves its votes to another, in order, none lost',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const world = await createWorld()
    let reaction: 'accept' | 'hang' = 'hang'
    const receiver = await startVotifierReceiver({ reaction: () => reaction })
    const id = await world.addVotifier('votifier2', receiver.port, receiver.token)
    const names = ['first', 'second', 'third']
    const waiting: string[] = []
    const worker = await startProcess('workers/main.ts', world.url)
    for (const username of names.slice(0, 2)) waiting.push(await world.queue(id, { username }))
    await expect.poll(() => receiver.votes.length, { timeout: 20_000 }).toBe(1)
    const ended = new Promise((resolve) => worker.child.once('exit', resolve))
    worker.child.kill('SIGKILL') // the game server has the vote, and its answer is not read
    run.tried('worker killed in mid-exchange')
    await ended
    reaction = 'accept'
    await startProcess('workers/main.ts', world.url)
    waiting.push(await world.queue(id, { username: 'third' }))
    for (const delivery of waiting)
      await expect
        .poll(() => world.delivery(delivery), { timeout: 50_000, interval: 200 })
        .toMatchObject({ status: 'delivered', attempts: 1 })
    const received = receiver.votes.map(({ username }) => username)
    expect(received).toEqual(['first', ...names])

    // The game server ends the connection instead of answering.
    const reactions: ('drop' | 'accept')[] = ['drop', 'accept']
    const dropping = await startVotifierReceiver({ reaction: () => reactions.shift() ?? 'accept' })
    const dropped = await world.addVotifier('votifier2', dropping.port, dropping.token)
    const delivery = await world.queue(dropped, { username: 'dropped' })
    run.tried('connection ended in mid-exchange')
    await expect
      .poll(() => world.delivery(delivery), { timeout: 50_000, interval: 200 })
      .toMatchObject({ status: 'delivered', attempts: 2 })
    run.worked('votes delivered', waiting.length + 1)
    run.worked('votes repeated', received.length - names.length + dropping.votes.length - 1)
    run.expectNothingLost({
      votes: [...names.filter((name) => !received.includes(name)), ...(dropping.votes.length ? [] : ['dropped'])],
    })
  },
  FAULT_RUN_TIMEOUT_MS,
)
