// Limits that several processes count together through their primary, mostly without asking it.
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { allowanceStore } from '../../../src/platform/http/fast-path/allowance-store.ts'
import {
  type CountQuery,
  type CountReply,
  createAllowances,
  type RemainingAllowance,
} from '../../../src/platform/http/fast-path/allowances.ts'
import type { LimitPolicy, WindowState } from '../../../src/platform/http/limit-policy.ts'
import { createLimits } from '../../../src/platform/http/limits.ts'
import { connectPeer, type Peer } from '../../../src/platform/processes/peer.ts'
import { openChannel } from '../../support/channel.ts'
import { testLog } from '../../support/database.ts'

afterEach(() => vi.useRealTimers())

const minute = (limit: number): LimitPolicy => ({ name: 'minute', limit, windowSeconds: 60 })
const HOUR: LimitPolicy = { name: 'hour', limit: 1_000, windowSeconds: 3600 }

/** Processes and their primary. Messages arrive in order, a turn of the event loop later or as many as `delay` says. */
function startProcesses(count: number, delay = () => 1) {
  const counting = createAllowances(count)
  return Array.from({ length: count }, () => {
    const asked: unknown[] = []
    let last = Promise.resolve()
    const deliver = (arrive: () => void) => {
      last = last.then(() => turns(delay())).then(arrive)
    }
    const { near, far, close } = openChannel(deliver)
    const primary: Peer['answers'] = { ...counting }
    connectPeer(near, primary)
    far.prependListener('message', (message) => asked.push(message))
    const peer = connectPeer(far, {})
    const store = allowanceStore(peer)
    const hits = async (policies: LimitPolicy[], key = 'a client') =>
      store.hitAtOnce?.(policies, key) ?? store.hitAll(policies, key)
    return {
      store,
      stop: store.stop,
      hits,
      ask: peer.ask,
      /** What this process answers. */
      answers: peer.answers,
      /** What the primary answers this process. */
      primary,
      restore: () => Object.assign(primary, counting),
      /** Messages from the primary. */
      asked,
      close,
    }
  })
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

const passed = (hits: WindowState[][]) => hits.filter((windows) => windows.every(({ refused }) => !refused)).length

it('each caller gets exactly its limit, whichever processes its requests reach', async () => {
  const request = fc.record({ process: fc.nat(2), key: fc.constantFrom('a', 'b'), together: fc.nat(9) })
  const requests = fc.array(request, { minLength: 100, maxLength: 200, size: 'max' })
  const delays = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 50, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 60 }), requests, delays, async (limit, asked, turnsOf) => {
      let message = 0
      const processes = startProcesses(3, () => turnsOf[message++ % turnsOf.length] ?? 1)
      const replies: { key: string; hits: Promise<WindowState[]> }[] = []
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

it('an allowance does not outlast its window by a clock that is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 20; n++) await one?.hits([minute(100)])
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(await one?.hits([minute(100)])).toMatchObject([{ remaining: 99, msLeft: 60_000 }])
  const hits = await Promise.all(Array.from({ length: 100 }, () => other?.hits([minute(100)]) ?? []))
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

it('a process that does not answer when its allowance is revoked has used it', async () => {
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 20; n++) await one?.hits([minute(40)])
  Object.assign(one?.answers ?? {}, { giveBack: () => new Promise(() => {}) })
  const hits: WindowState[][] = []
  for (let n = 0; n < 40; n++) hits.push((await other?.hits([minute(40)])) ?? [])
  expect(passed(hits)).toBeLessThanOrEqual(20)
  expect(passed(hits)).toBeGreaterThan(10)
})

it('the allowances of a window are revoked once, and no more are given', async () => {
  const [one, other] = startProcesses(2)
  const giveBacks = [one, other].map((process) => vi.spyOn(process?.answers ?? {}, 'giveBack' as never))
  const hits: WindowState[][] = []
  const hit = async (process: typeof one, times: number) => {
    for (let n = 0; n < times; n++) hits.push((await process?.hits([minute(400)])) ?? [])
  }
  await hit(other, 120)
  while (giveBacks[1]?.mock.calls.length === 0) await hit(one, 1)
  await hit(other, 1)
  await hit(one, 400)
  expect(passed(hits)).toBe(400)
  expect(hits.filter(([hit]) => hit?.remaining === 0 && !hit.refused)).toHaveLength(1) // the last that passed
  expect(giveBacks.map(({ mock }) => mock.calls.length)).toEqual([0, 1]) // the first gives back what it has when it asks
})

it('what a process gives back after it counted as used is counted again', async () => {
  const [one, other] = startProcesses(2)
  const ask = async (requests: number, rests: RemainingAllowance[]) => {
    const question: CountQuery = [[[minute(100)], [{ key: 'a client', requests, rests }]]]
    const [{ hits = [], allowances = [] } = {}] = (await one?.ask<CountReply[]>('hits', question)) ?? []
    return { endsAt: 0, left: 0, ...allowances[0], remaining: hits.at(-1)?.[0]?.remaining }
  }
  const { endsAt, left } = await ask(10, [])
  expect(left).toBeGreaterThan(0)
  const next = await ask(1, [{ endsAt, left: 0 }])
  expect(next.remaining).toBe(89 - left)
  for (const late of [next.left, left])
    await one?.ask('unused', [{ name: 'minute', key: 'a client', endsAt, left: late }])
  expect(await other?.hits([minute(100)])).toMatchObject([{ remaining: 88 }])
})

it('an allowance that arrives after it was revoked is returned', async () => {
  const { near, far } = openChannel()
  const late = { name: 'minute', key: 'a client', endsAt: Date.now() + 60_000 }
  const unused = vi.fn()
  const primary: Peer = connectPeer(near, {
    async hits() {
      await primary.ask('giveBack', late)
      const hits = [[{ remaining: 9, msLeft: 60_000, refused: false }]]
      return [{ hits, allowances: [{ endsAt: late.endsAt, left: 5, others: 4 }] }]
    },
    unused,
  })
  const store = allowanceStore(connectPeer(far, {}))
  expect(await store.hitAll([minute(10)], 'a client')).toMatchObject([{ remaining: 9, refused: false }])
  expect(unused).toHaveBeenCalledWith([{ ...late, left: 5 }], primary)
})

it('a question for a window that has ended takes nothing from the current one', async () => {
  const { near, far } = openChannel()
  const endsAt = Date.now() + 60_000
  const primary = connectPeer(near, {
    hits: () => [{ hits: [[{ remaining: 9, refused: false }]], allowances: [{ endsAt, left: 5, others: 4 }] }],
  })
  const store = allowanceStore(connectPeer(far, {}))
  await store.hitAll([minute(10)], 'a client')
  expect(await primary.ask('giveBack', { name: 'minute', key: 'a client', endsAt: endsAt - 60_000 })).toBe(0)
  expect(store.hitAtOnce?.([minute(10)], 'a client')).toMatchObject([{ remaining: 8, refused: false }])
})

it('an answer that comes too late counts as used, and nothing else is lost', async () => {
  const [one, other] = startProcesses(2)
  if (!one) throw new Error('no process')
  for (let n = 0; n < 20; n++) await other?.hits([minute(100)])
  // The primary counts the request and its allowance, and the process never learns of it.
  const { hits: count } = one.primary
  one.primary.hits = (question: never, asking) => {
    count?.(question, asking)
    throw new Error('too late')
  }
  await expect(one.hits([minute(100)])).rejects.toThrow()
  one.restore()
  const hits = await Promise.all(Array.from({ length: 200 }, () => one.hits([minute(100)])))
  expect(passed(hits)).toBeLessThan(79)
  expect(passed(hits)).toBeGreaterThan(79 - 25)
})

it('a process that has stopped gives nothing back twice', async () => {
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 20; n++) await one?.hits([minute(100)])
  await one?.stop()
  const hits = await Promise.all(Array.from({ length: 200 }, () => other?.hits([minute(100)]) ?? []))
  expect(passed(hits)).toBe(80)
})

it('a process that is asked for its allowance while it stops gives it back once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [one] = startProcesses(2)
  if (!one) throw new Error('no process')
  for (let n = 0; n < 20; n++) await one.hits([minute(100)])
  const { giveBack } = one.answers as unknown as { giveBack(key: object): Promise<number> }
  const asked = giveBack({ name: 'minute', key: 'a client', endsAt: Date.now() + 60_000 })
  await one.stop()
  expect(await asked).toBe(0)
})

it('a caller within both of its limits causes few messages in every minute of the hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const processes = startProcesses(2)
  const perMinute: number[] = []
  for (let elapsed = 0; elapsed < 60; elapsed++) {
    const before = processes.flatMap(({ asked }) => asked).length
    for (let n = 0; n < 200; n++) await processes[n % 2]?.hits([minute(400), { ...HOUR, limit: 20_000 }])
    perMinute.push(processes.flatMap(({ asked }) => asked).length - before)
    vi.setSystemTime(Date.now() + 60_000)
  }
  expect(Math.max(...perMinute)).toBeLessThan(40)
})

it('requests that come together are counted down one by one, and share one allowance', async () => {
  const [one, other] = startProcesses(2)
  const hits = await Promise.all(Array.from({ length: 20 }, () => one?.hits([minute(100)]) ?? []))
  expect(hits.map(([hit]) => hit?.remaining)).toEqual(Array.from({ length: 20 }, (_, n) => 99 - n))
  expect(await one?.hits([minute(100)])).toMatchObject([{ remaining: 79 }])
  one?.close()
  const left = await Promise.all(Array.from({ length: 100 }, () => other?.hits([minute(100)]) ?? []))
  expect(passed(left)).toBeGreaterThanOrEqual(60)
})

it('a caller of one request leaves no allowance behind', async () => {
  const [one, other] = startProcesses(2)
  await one?.hits([minute(100)])
  expect(await other?.hits([minute(100)])).toMatchObject([{ remaining: 98 }])
})

it('requests that are refused do not hold back what is given back later', async () => {
  const [one, other] = startProcesses(2)
  for (let n = 0; n < 40; n++) await one?.hits([minute(100)])
  const answer = one?.answers.giveBack as (key: never) => Promise<number>
  const late = Promise.withResolvers<void>()
  Object.assign(one?.answers ?? {}, { giveBack: (key: never) => late.promise.then(() => answer(key)) })
  const hits = await Promise.all(Array.from({ length: 200 }, () => other?.hits([minute(100)]) ?? []))
  expect(passed(hits)).toBeLessThan(60)
  late.resolve()
  await turns(20)
  const rest = await Promise.all(Array.from({ length: 200 }, () => other?.hits([minute(100)]) ?? []))
  expect(passed([...hits, ...rest])).toBe(60)
})

it('an allowance is used while the primary does not answer, and what it does not cover is asked for again soon', async () => {
  let now = 0
  const [one] = startProcesses(2)
  if (!one) throw new Error('no process')
  const limits = createLimits({ store: one.store, log: testLog, clock: () => now })
  for (let n = 0; n < 20; n++) await limits.consume({ key: 'a client', policies: [minute(100)] }, { isRead: true })
  one.primary.hits = () => {
    throw new Error('it does not answer')
  }
  await expect(limits.consume({ key: 'another client', policies: [minute(100)] })).rejects.toMatchObject({
    status: 503,
  })
  await limits.consume({ key: 'a client', policies: [minute(100)] })
  one.restore()
  for (now = 2_001; now < 4_000; now += 500) await limits.consume({ key: 'a client', policies: [minute(100)] })
  await limits.consume({ key: 'another client', policies: [minute(100)] })
})

it('what is refunded can be used again, also if it passed by an allowance', async () => {
  const [one, other] = startProcesses(2)
  if (!one) throw new Error('no process')
  for (const burst of [20, 1, 30, 2, 40]) {
    await Promise.all(Array.from({ length: burst }, () => one.hits([minute(300)])))
    for (let n = 0; n < burst; n++) await one.store.refund(minute(300), 'a client')
  }
  const hits = await Promise.all(Array.from({ length: 400 }, () => other?.hits([minute(300)]) ?? []))
  expect(passed(hits)).toBe(300)
})
