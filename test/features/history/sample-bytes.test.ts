// Samples come back from their bytes as they were, whatever the curve.
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { findSamples, rollUpHours } from '../../../src/features/history/index.ts'
import { decodeSamples, encodeSamples, type Sample } from '../../../src/features/history/sample-bytes.ts'
import { createTestDatabase } from '../../support/database.ts'
import { insertSamples } from '../../support/stored-samples.ts'
import { forgetHistory, HOUR } from './samples.ts'

const { pool } = await createTestDatabase()
beforeEach(() => forgetHistory(pool))

const EPOCH = 1_577_836_800
const int4 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const sample = fc.record({
  at: fc.integer({ min: EPOCH - 2 ** 31, max: EPOCH + 2 ** 31 - 1 }),
  players: fc.option(fc.oneof(fc.integer({ min: 0, max: 300 }), int4), { nil: null }),
  maxPlayers: fc.oneof(fc.integer({ min: 0, max: 300 }), int4),
})

/** Equal samples are the same, so order matters only by time. */
const inOrder = (samples: readonly Sample[]) =>
  samples.map((each) => JSON.stringify([each.at, each.players, each.maxPlayers])).sort()

test('any samples, in any order and twice, come back by time', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 300 }), (samples) => {
      const decoded = decodeSamples(encodeSamples(samples))
      expect(inOrder(decoded)).toEqual(inOrder(samples))
      expect(decoded.map(({ at }) => at)).toEqual(samples.map(({ at }) => at).toSorted((a, b) => a - b))
    }),
  )
})

test('bytes that are cut or unknown are an error, not other samples', () => {
  const bytes = encodeSamples(Array.from({ length: 50 }, (_, n) => ({ at: EPOCH + n, players: n, maxPlayers: 8 })))
  expect(() => decodeSamples(bytes.subarray(0, bytes.length - 4))).toThrow()
  expect(() => decodeSamples(Buffer.from([7]))).toThrow('unknown kind of history item: 7')
})

/** A curve as polls make one: an interval that changes, its jitter, steps of the clock, servers that come and go. */
const poll = fc.record({
  wait: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 54, max: 66 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 900 }) },
    { weight: 1, arbitrary: fc.integer({ min: -7_200, max: 20_000 }) },
  ),
  millisecond: fc.integer({ min: 0, max: 999 }),
  players: fc.option(fc.integer({ min: 0, max: 400 }), { nil: null, freq: 8 }),
  maxPlayers: fc.constantFrom(70, 70, 70, 70, 100),
  server: fc.integer({ min: 0, max: 2 }),
  rollUp: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  repeat: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})

test('every poll is found with its value and second after any roll-ups, until its retention', async () => {
  const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
  await fc.assert(
    fc.asyncProperty(fc.array(poll, { minLength: 1, maxLength: 120 }), async (polls) => {
      await forgetHistory(pool)
      let now = Date.parse('2031-05-10T20:00:00Z')
      const expected: string[] = []
      const found = async () => {
        const samples = await findSamples(pool, ids, new Date(now - 60 * 24 * HOUR), new Date(now + 60 * 24 * HOUR))
        return [...samples].flatMap(([id, own]) => inOrder(own).map((text) => `${id} ${text}`)).sort()
      }
      for (const { wait, millisecond, players, maxPlayers, server, rollUp, repeat } of polls) {
        now += wait * 1_000
        const id = ids[server] ?? ''
        const polledAt = new Date(now + millisecond)
        for (let times = repeat ? 2 : 1; times; times--) {
          await insertSamples(pool, { serverIds: [id], polledAt, players: [players], maxPlayers: [maxPlayers] })
          expected.push(`${id} ${JSON.stringify([Math.floor(polledAt.getTime() / 1000), players, maxPlayers])}`)
        }
        if (!rollUp) continue
        await rollUpHours(pool, new Date(now + 3 * HOUR))
        expect(await found()).toEqual(expected.toSorted())
      }
      expect(await found()).toEqual(expected.toSorted())
      // All ended days are chunks in the end, and counted once.
      await rollUpHours(pool, new Date(now + 2 * 24 * HOUR))
      expect(await found()).toEqual(expected.toSorted())
      const { rows } = await pool.query(
        `select (select sum(polls)::integer from player_history_hours) as polls,
           (select count(*) from player_history_open) as open, (select count(*) from player_history_recent where samples <> '') as recent`,
      )
      expect(rows).toEqual([{ polls: expected.length, open: 0, recent: 0 }])
    }),
    { numRuns: 20 },
  )
})
