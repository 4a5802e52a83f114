// Limits that several processes count together through their primary, mostly without asking it.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { allowanceStore, createAllowances } from '../../../src/platform/http/fast-path/allowances.ts'
import type { Hit, LimitPolicy } from '../../../src/platform/http/limit-policy.ts'
import { connectPeer, type Peer } from '../../../src/platform/processes/peer.ts'
import { openChannel } from '../../support/channel.ts'

afterEach(() => vi.useRealTimers())

const minute = (limit: number): LimitPolicy => ({ name: 'minute', limit, windowSeconds: 60 })
const HOUR: LimitPolicy = { name: 'hour', limit: 1_000, windowSeconds: 3600 }

/** Processes and their primary. Messages arrive in order, a turn of the event loop later or as many as `delay` says. */
function startProcesses(count: number, delay = () => 1) {
  const countingFor = createAllowances(count)
  return Array.from({ length: count }, () => {
    const asked: unknown[] = [] // messages that arrived from the primary
    let last = Promise.resolve()
    const deliver = (arrive: () => void) => {
      last = last.then(() => turns(delay())).then(arrive)
    }
    const { near, far, close } = openChannel(deliver)
    const ofPrimary: Peer = connectPeer(
      near,
      countingFor(() => ofPrimary),
    )
    far.prependListener('message', (message) => asked.push(message))
    const peer = connectPeer(far, {})
    const store = allowanceStore(peer)
    const hits = async (policies: LimitPolicy[], key = 'a client') => store.hitAll(policies, key)
    return { stop: store.stop, close, asked, answers: peer.answers, hits }
  })
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

const passed = (hits: Hit[][]) => hits.filter((windows) => windows.every(({ refused }) => !refused)).length

it('each caller gets exactly its limit, whichever processes its requests reach', async () => {
  const request = fc.record({ process: fc.nat(2), key: fc.constantFrom('a', 'b'), together: fc.nat(9) })
  const requests = fc.array(request, { minLength: 100, maxLength: 200, size: 'max' })
  const delays = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 50, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 60 }), requests, delays, async (limit, asked, turnsOf) => {
      let message = 0
      const processes = startProcesses(3, () => turnsOf[message++ % turnsOf.length] ?? 1)
      const replies: { key: string; hits: Promise<Hit[]> }[] = []
      for (const { process, key, together } of asked) {
        const hits = processes[process]?.hits([minute(limit), HOUR], key) ?? Promise.reject(new Error('no process'))
        replies.push({ key, hits })
        if (together === 0) await hits
      }
      await Promise.all(replies.map(({ hits }) => hits))
      await turns(20) // what came late is given back
      const [one] = processes
      for (const key of ['a', 'b'])
        for (let n = 0; one && n < limit; n++) replies.push({ key, hits: one.hits([minute(limit), HOUR], key) })
      for (const key of ['a', 'b']) {
        const hits = await Promise.all(replies.filter((reply) => reply.key === key).map((reply) => reply.hits))
        expect(passed(hits)).toBe(limit)
      }
    }),
    { numRuns: 100 },
  )
})

it('a caller of one process is counted down to 0, asking rarely', async () => {
  const [one] = startProcesses(2)
  const remaining: number[] = []
  for (let n = 0; n < 1_001; n++) for (const hit of (await one?.hits([HOUR])) ?? []) remaining.push(hit.remaining)
  expect(remaining).toEqual([...Array.from({ length: 1_000 }, (_, n) => 999 - n), 0])
  expect(one?.asked.length).toBeLessThan(60)
})

it('a request that one window refuses is not counted in the next', async () => {
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 30; n++) {
    await one?.hits([minute(10), HOUR])
    await other?.hits([minute(10), HOUR])
  }
  const hits = await Promise.all(Array.from({ length: 1_000 }, (_, n) => (n % 2 ? one : other)?.hits([HOUR]) ?? []))
  expect(passed(hits)).toBe(990)
})

it('an allowance ends with its window', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 20; n++) await one?.hits([minute(100)])
  vi.setSystemTime(Date.now() + 60_000)
  expect(await other?.hits([minute(100)])).toMatchObject([{ remaining: 99, msLeft: 60_000 }])
  const hits = await Promise.all(Array.from({ length: 100 }, () => one?.hits([minute(100)]) ?? []))
  expect(passed(hits)).toBe(99)
})

it('a process that stops gives back what it has left', async () => {
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 20; n++) await one?.hits([minute(100)])
  await one?.stop()
  one?.close()
  expect(await other?.hits([minute(100)])).toMatchObject([{ remaining: 79 }])
})

it('what a killed process has left counts as used, and does not hold the others up', async () => {
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 20; n++) await one?.hits([minute(100)])
  one?.close()
  const hits = await Promise.all(Array.from({ length: 100 }, () => other?.hits([minute(100)]) ?? []))
  expect(passed(hits)).toBeLessThanOrEqual(80)
  expect(passed(hits)).toBeGreaterThanOrEqual(60)
})

it('a process that does not answer when its allowance is taken back has used it', async () => {
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 20; n++) await one?.hits([minute(40)])
  Object.assign(one?.answers ?? {}, { giveBack: () => new Promise(() => {}) })
  const hits: Hit[][] = []
  for (let n = 0; n < 40; n++) hits.push((await other?.hits([minute(40)])) ?? [])
  expect(passed(hits)).toBeLessThanOrEqual(20)
  expect(passed(hits)).toBeGreaterThan(10)
})

it('the allowances of a window are taken back once', async () => {
  const processes = startProcesses(2)
  const giveBacks = processes.map(({ answers }) => vi.spyOn(answers, 'giveBack'))
  for (const process of processes) for (let n = 0; n < 90; n++) await process.hits([minute(400)])
  for (let n = 0; n < 400; n++) await processes[0]?.hits([minute(400)])
  expect(giveBacks.map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it('an allowance that arrives after it was taken back is given back', async () => {
  const { near, far } = openChannel()
  const late = { name: 'minute', key: 'a client', endsAt: Date.now() + 60_000 }
  const unused = vi.fn()
  const primary: Peer = connectPeer(near, {
    async hits() {
      await primary.ask('giveBack', late)
      return [[{ remaining: 9, msLeft: 60_000, refused: false, endsAt: late.endsAt, allowance: 5 }]]
    },
    unused,
  })
  const store = allowanceStore(connectPeer(far, {}))
  expect(await store.hitAll([minute(10)], 'a client')).toMatchObject([{ remaining: 9, refused: false }])
  expect(unused).toHaveBeenCalledWith([{ ...late, left: 5 }])
})
