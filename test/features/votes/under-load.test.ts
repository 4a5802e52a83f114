// What keeps voting fast under load: votes that share a statement, and a directory that is not read for each of them.
import { describe, expect, test } from 'vitest'
import { createRefreshThrottle } from '../../../src/features/votes/refresh-throttle.ts'
import { createVoteBatcher } from '../../../src/features/votes/vote-batcher.ts'
import type { VoteInput, VoteOutcome } from '../../../src/features/votes/votes.sql.ts'
import { testLog } from '../../support/database.ts'

const inputOf = (id: string, serverId = 'server', visitorId = id): VoteInput => ({
  id,
  serverId,
  visitorId,
  username: '',
  gamePlatformId: '',
  addressKey: '',
  senderId: null,
})
const outcomeOf = ({ id }: VoteInput): VoteOutcome => ({
  id,
  serverName: id,
  hasWebhook: false,
  hasReward: false,
  lastVotedAt: null,
  remainingMs: null,
  addressRemainingMs: null,
  votedAt: new Date(0),
  totalVotes: 1,
  monthlyVotes: 1,
  streak: 1,
})

/** A batcher whose statements end when the test says so. */
function openBatcher() {
  const statements: { ids: string[]; end(error?: Error): void }[] = []
  const record = createVoteBatcher(
    (inputs) =>
      new Promise((resolve, reject) =>
        statements.push({
          ids: inputs.map(({ id }) => id),
          end: (error) => (error ? reject(error) : resolve(inputs.map(outcomeOf))),
        }),
      ),
  )
  return { record, statements, sent: () => statements.map(({ ids }) => ids.join(' ')) }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('votes that come at the same time', () => {
  test('are inserted at once while few come, then together; each gets its own answer', async () => {
    const { record, statements, sent } = openBatcher()
    const answers = ['a', 'b', 'c', 'd', 'e'].map((id) => record(inputOf(id)))
    expect(sent()).toEqual(['a', 'b'])
    statements[0]?.end()
    await settled()
    expect(sent()).toEqual(['a', 'b', 'c d e'])
    statements[1]?.end()
    statements[2]?.end()
    expect((await Promise.all(answers)).map((outcome) => outcome?.id)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('of the same visitor for the same server go one after the other', async () => {
    const { record, statements, sent } = openBatcher()
    for (const one of [
      inputOf('a'),
      inputOf('b'),
      inputOf('c', 'server', 'v'),
      inputOf('d', 'server', 'v'),
      inputOf('e', 'other', 'v'),
    ])
      void record(one)
    statements[0]?.end()
    await settled()
    statements[1]?.end()
    await settled()
    expect(sent()).toEqual(['a', 'b', 'c e', 'd'])
  })

  test('are a hundred together at most', async () => {
    const { record, statements } = openBatcher()
    for (let n = 0; n < 252; n++) void record(inputOf(`v${n}`))
    for (let n = 0; n < 5; n++) {
      statements[n]?.end()
      await settled()
    }
    expect(statements.map(({ ids }) => ids.length)).toEqual([1, 1, 100, 100, 50])
  })

  test('fail together when the database is out, and each for itself when one of them is wrong', async () => {
    const { record, statements, sent } = openBatcher()
    const answers = ['a', 'b', 'c', 'd'].map((id) => record(inputOf(id)).then((outcome) => outcome?.id, String))
    statements[0]?.end()
    statements[1]?.end()
    await settled()
    statements[2]?.end(new Error('c is wrong'))
    await settled()
    statements[3]?.end(new Error('c is wrong'))
    await settled()
    statements[4]?.end()
    expect(sent()).toEqual(['a', 'b', 'c d', 'c', 'd'])
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'Error: c is wrong', 'd'])

    const out = openBatcher()
    const refused = ['a', 'b', 'c', 'd'].map((id) => out.record(inputOf(id)).catch(() => 'refused'))
    const outage = new Error('Connection terminated unexpectedly')
    out.statements[0]?.end(outage)
    out.statements[1]?.end(outage)
    await settled()
    out.statements[2]?.end(outage)
    expect(await Promise.all(refused)).toEqual(Array(4).fill('refused'))
    expect(out.statements).toHaveLength(3)
  })
})

describe('showing votes', () => {
  test('reads the directory for ten at once and two a second, and answers the others without', async () => {
    let [now, reads] = [0, 0]
    const refreshSoon = createRefreshThrottle({
      clock: () => now,
      log: testLog,
      refresh: async () => {
        reads++
      },
    })
    for (let n = 0; n < 30; n++) await refreshSoon()
    expect(reads).toBe(10)
    now += 1_000
    for (let n = 0; n < 30; n++) await refreshSoon()
    expect(reads).toBe(12)
    now += 3_600_000
    for (let n = 0; n < 30; n++) await refreshSoon()
    expect(reads).toBe(22)
  })

  test('that fails is no failure of the vote', async () => {
    await createRefreshThrottle({
      clock: Date.now,
      log: testLog,
      refresh: () => Promise.reject(new Error('no database')),
    })()
  })
})
