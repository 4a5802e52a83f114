// Scores: exact sums of fading votes, whatever their order and process, over decades; removed votes leave no trace.
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordVotes, voteWeightLog } from '../../../src/features/votes/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { createTestDatabase } from '../../support/database.ts'
import { rounds } from '../../support/rounds.ts'
import { addServer, newVisitor } from './support.ts'

const { pool } = await createTestDatabase()

const HOUR_MS = 3_600_000
const START = Date.UTC(2024, 0, 1)
const YEAR_HOURS = 8_766
const at = (hour: number) => new Date(START + hour * HOUR_MS)

/** The definition, in whole numbers. */
const weightOf = (hour: number): bigint =>
  BigInt(Math.round(2 ** (20 + (hour % 240) / 240))) << BigInt(Math.floor(hour / 240))

const record = (votes: { serverId: string; hour: number }[], hour: number) =>
  recordVotes(
    pool,
    votes.map(({ serverId }) => ({
      id: uuidv7(),
      serverId,
      visitorId: newVisitor(),
      username: '',
      gamePlatformId: '',
      addressKey: '',
      senderId: null,
    })),
    { now: at(hour), onlyWithoutEffects: true, milestones: [], votesPerAddress: 0 },
  )

async function scoreOf(serverId: string): Promise<bigint> {
  const { rows } = await pool.query<{ score: string }>(
    'select vote_score::text as score from server_counters where server_id = $1',
    [serverId],
  )
  return BigInt(rows[0]?.score ?? -1)
}

beforeEach(async () => {
  await pool.query('delete from servers')
})

describe('the weight of a vote', () => {
  test('is a whole number that doubles every 240 hours, exactly, for a century', async () => {
    const hours = Array.from({ length: 400 }, (_, n) => Math.floor((n / 400) * 100 * YEAR_HOURS))
    const { rows } = await pool.query<{ weight: string; later: string }>(
      `select vote_weight(at)::text as weight, vote_weight(at + interval '240 hours')::text as later
       from unnest($1::timestamptz[]) as at`,
      [hours.map(at)],
    )
    expect(rows.map(({ weight }) => BigInt(weight))).toEqual(hours.map(weightOf))
    expect(rows.map(({ later }) => BigInt(later))).toEqual(hours.map((hour) => 2n * weightOf(hour)))
  })

  test('is the same within an hour, and before 2024 that of its first hour', async () => {
    const times = [at(5), new Date(at(6).getTime() - 1), at(0), new Date('1999-01-01T00:00:00Z')]
    const { rows } = await pool.query<{ weight: string }>(
      'select vote_weight(at)::text as weight from unnest($1::timestamptz[]) as at',
      [times],
    )
    expect(rows.map(({ weight }) => BigInt(weight))).toEqual([weightOf(5), weightOf(5), weightOf(0), weightOf(0)])
  })

  test('has the logarithm that the directory counts with', () => {
    for (const hour of [0, 1, 239, 240, 25_000, 50 * YEAR_HOURS]) {
      const digits = weightOf(hour).toString(2)
      const log = digits.length - 53 + Math.log2(Number.parseInt(digits.slice(0, 53), 2))
      expect(voteWeightLog(at(hour).getTime())).toBeCloseTo(
        digits.length > 53 ? log : Math.log2(Number(weightOf(hour))),
        6,
      )
    }
  })
})

const hour = fc.oneof(fc.nat({ max: 60 * YEAR_HOURS }), fc.integer({ min: 25_000, max: 25_500 }))
const votes = fc.array(fc.record({ server: fc.nat({ max: 1 }), hour, isRemoved: fc.boolean() }), {
  minLength: 1,
  maxLength: 25,
})

describe('the score of a server', () => {
  test('is the sum of its votes’ weights in any order, in any batches, recorded by any number of processes', async () => {
    await fc.assert(
      fc.asyncProperty(votes, fc.boolean(), async (given, atOnce) => {
        const servers = [await addServer(pool), await addServer(pool)]
        const byHour = [...Map.groupBy(given, (vote) => vote.hour)]
        const batches = byHour.map(
          ([of, group]) =>
            () =>
              record(
                group.map(({ server, hour }) => ({ serverId: servers[server] ?? '', hour })),
                of,
              ),
        )
        if (atOnce) await Promise.all(batches.map((run) => run()))
        else for (const run of batches) await run()
        for (const [n, id] of servers.entries()) {
          const own = given.filter(({ server }) => server === n)
          expect(await scoreOf(id)).toBe(own.reduce((sum, vote) => sum + weightOf(vote.hour), 0n))
        }
      }),
      { numRuns: rounds(25) },
    )
  })

  test('is as if a vote had never been once its weight is subtracted', async () => {
    await fc.assert(
      fc.asyncProperty(votes, async (given) => {
        const [all, without] = [await addServer(pool), await addServer(pool)]
        const removed: string[] = []
        for (const vote of given) {
          const [{ id = '' } = {}] = await record([{ serverId: all, hour: vote.hour }], vote.hour)
          if (vote.isRemoved) removed.push(id)
          else await record([{ serverId: without, hour: vote.hour }], vote.hour)
        }
        await pool.query(
          `update server_counters set vote_score = vote_score - (
             select coalesce(sum(vote_weight(voted_at)), 0) from votes where votes.id = any($2))
           where server_id = $1`,
          [all, removed],
        )
        expect(await scoreOf(all)).toBe(await scoreOf(without))
      }),
      { numRuns: rounds(15) },
    )
  })

  test('counts several votes of one statement for one server each', async () => {
    const serverId = await addServer(pool)
    await record(
      Array.from({ length: 7 }, () => ({ serverId, hour: 9 })),
      9,
    )
    expect(await scoreOf(serverId)).toBe(7n * weightOf(9))
  })
})

describe('during an upgrade', () => {
  test('votes of the previous release, which knows no scores, count', async () => {
    const serverId = await addServer(pool)
    const weight = await inTransaction(pool, async (tx) => {
      await tx.query('update server_counters set total_votes = total_votes + 3 where server_id = $1', [serverId])
      const { rows } = await tx.query<{ weight: string }>('select vote_weight(now())::text as weight')
      return BigInt(rows[0]?.weight ?? -1)
    })
    // Its job that archives months changes other columns only.
    await pool.query('update server_counters set monthly_votes = 0 where server_id = $1', [serverId])
    expect(await scoreOf(serverId)).toBe(3n * weight)
  })

  test('the migration adds up the votes of before', async () => {
    const [server, other] = [await addServer(pool), await addServer(pool)]
    await record([{ serverId: server, hour: 20_000 }], 20_000)
    await record(
      [
        { serverId: server, hour: 25_000 },
        { serverId: other, hour: 25_000 },
      ],
      25_000,
    )
    const before = [await scoreOf(server), await scoreOf(other)]
    await pool.query(`
      drop trigger server_counters_vote_weight on server_counters;
      alter table server_counters drop column vote_score, drop column play_score, drop column played_to;
      drop function add_vote_weight, vote_weight, score_weight, score_hour`)
    await pool.query(`begin; ${await readFile('prisma/migrations/0042_score/migration.sql', 'utf8')}; commit`)
    expect([await scoreOf(server), await scoreOf(other)]).toEqual(before)
    expect(before).toEqual([weightOf(20_000) + weightOf(25_000), weightOf(25_000)])
  })
})
