// The outage guard's decisions, on an injected clock.
import { describe, expect, it } from 'vitest'
import { createOutageGuard, type OutageGuard } from '../../../workers/polling/outage-guard.ts'

const INTERVAL_MS = 60_000
const MINUTE = 60_000
const QUERY_MS = 8_000

const open = (stalledSince?: (since: number) => boolean) =>
  createOutageGuard({ intervalMs: INTERVAL_MS, ...(stalledSince ? { stalledSince } : {}) })

/** `count` servers fail at `at`, each at its own address unless one is given. */
function fail(guard: OutageGuard, count: number, at: number, address?: string): void {
  for (let n = 0; n < count; n++)
    guard.note({ serverId: `${address ?? 'server'}-${n}`, address: address ?? `10.0.0.${n}`, answered: false, at })
}

function answer(guard: OutageGuard, count: number, at: number): void {
  for (let n = 0; n < count; n++) guard.note({ serverId: `up-${n}`, address: `20.0.0.${n}`, answered: true, at })
}

const suspect = (guard: OutageGuard, at: number) => guard.suspectOutage(at - QUERY_MS, at)

describe('the outage guard', () => {
  it('accepts failures while other servers answer', () => {
    const guard = open()
    answer(guard, 10, 99_000)
    fail(guard, 20, 100_000)
    expect(suspect(guard, 100_000)).toBeUndefined()
  })

  it('rejects the failure of nine of ten addresses at once', () => {
    const guard = open()
    answer(guard, 2, 99_000)
    fail(guard, 20, 100_000)
    expect(suspect(guard, 100_000)).toBe('no answers')
  })

  it('ignores answers from before the failed queries began', () => {
    const guard = open()
    answer(guard, 1_000, 100_000 - QUERY_MS - 1)
    fail(guard, 20, 100_000)
    expect(suspect(guard, 100_000)).toBe('no answers')
  })

  it('accepts the failure of fewer than five servers, however often they are polled', () => {
    const guard = open()
    for (let at = 0; at < 10 * MINUTE; at += 5_000) {
      fail(guard, 4, at)
      expect(suspect(guard, at)).toBeUndefined()
    }
  })

  it('adds up small batches', () => {
    const guard = open()
    const suspicions = []
    for (let n = 0; n < 5; n++) {
      const at = n * 10_000
      guard.note({ serverId: `s${n}`, address: `10.0.0.${n}`, answered: false, at })
      suspicions.push(suspect(guard, at))
    }
    expect(suspicions).toEqual([undefined, undefined, undefined, undefined, 'no answers'])
  })

  it('forgets servers that are marked offline since', () => {
    const guard = open()
    fail(guard, 6, 0)
    guard.forget('server-0')
    guard.forget('server-1')
    fail(guard, 1, 1_000, '10.9.9.9')
    guard.forget('10.9.9.9-0')
    expect(suspect(guard, 1_000)).toBeUndefined()
  })

  it('accepts the failure of many servers at one address as soon as another server answers', () => {
    const guard = open()
    fail(guard, 500, 100_000, '10.1.1.1')
    expect(suspect(guard, 100_000)).toBe('no answers')
    answer(guard, 1, 101_000)
    expect(suspect(guard, 102_000)).toBeUndefined()
  })

  it('holds failures at a single address for five minutes at most', () => {
    const guard = open()
    for (let at = 0; at <= 6 * MINUTE; at += 15_000) {
      fail(guard, 500, at, '10.1.1.1')
      expect(suspect(guard, at) === undefined).toBe(at >= 5 * MINUTE)
    }
  })

  it('holds failures everywhere for an hour, then accepts them', () => {
    const guard = open()
    for (let at = 0; at <= 61 * MINUTE; at += 15_000) {
      fail(guard, 100, at)
      expect(suspect(guard, at) === undefined).toBe(at >= 60 * MINUTE)
    }
  })

  it('starts a new hour for a later outage', () => {
    const guard = open()
    for (const start of [0, 100 * MINUTE])
      for (let at = start; at <= start + 30 * MINUTE; at += 30_000) {
        fail(guard, 100, at)
        expect(suspect(guard, at)).toBe('no answers')
      }
  })

  it('ends with the first answers', () => {
    const guard = open()
    fail(guard, 20, 100_000)
    expect(suspect(guard, 100_000)).toBe('no answers')
    for (let n = 0; n < 20; n++)
      guard.note({ serverId: `server-${n}`, address: `10.0.0.${n}`, answered: true, at: 110_000 })
    fail(guard, 1, 115_000, '10.3.3.3')
    expect(suspect(guard, 115_000)).toBeUndefined()
  })

  it('rejects failures during which the event loop stalled', () => {
    const guard = open((since) => since < 95_000)
    answer(guard, 100, 99_000)
    fail(guard, 1, 100_000)
    expect(suspect(guard, 100_000)).toBe('event loop stalled')
    fail(guard, 1, 104_000)
    expect(suspect(guard, 104_000)).toBeUndefined()
  })
})
