// What was sent is written, however long the database is away, and an endpoint is let go of only after all of its attempts.
import { expect, it } from 'vitest'
import type { FinishedAttempt } from '../../../src/features/webhooks/index.ts'
import { createRecorder } from '../../../workers/webhooks/recorder.ts'
import { testLog } from '../../support/database.ts'

const attempt = (serverId: string, number: number): FinishedAttempt => ({
  deliveryId: `${serverId}-${number}`,
  serverId,
  number,
  attemptedAt: new Date(0),
  status: 200,
  storedUrl: 'https://owner.example/',
  latencyMs: 1,
  response: '',
})

it('writes in order what collects meanwhile, tries again what fails, and ends no server before its attempts', async () => {
  const written: string[] = []
  let failures = 2
  let batches = 0
  const recorder = createRecorder({
    log: testLog,
    async write({ attempts, ended }) {
      if (failures-- > 0) throw new Error('the database is away')
      batches++
      written.push(...attempts.map(({ deliveryId }) => deliveryId), ...ended.map((serverId) => `end ${serverId}`))
      return { recorded: [], disabled: 0 }
    },
    onWritten: () => undefined,
  })
  const ends: Promise<void>[] = []
  for (let server = 0; server < 3; server++) {
    for (let n = 1; n <= 400; n++) recorder.add(attempt(`s${server}`, n))
    ends.push(recorder.end(`s${server}`))
  }
  await Promise.all(ends)
  expect(batches).toBeLessThanOrEqual(3)
  expect(written.filter((entry) => !entry.startsWith('end'))).toHaveLength(1_200)
  for (let server = 0; server < 3; server++) {
    const own = written.filter((entry) => entry.includes(`s${server}`))
    expect(own).toEqual([...Array.from({ length: 400 }, (_, n) => `s${server}-${n + 1}`), `end s${server}`])
  }
})

it('gives up when it is told to, so that a stop is not held up by a database that is gone', async () => {
  const recorder = createRecorder({
    log: testLog,
    write: () => Promise.reject(new Error('the database is away')),
    onWritten: () => undefined,
  })
  recorder.add(attempt('a', 1))
  const ended = recorder.end('a')
  recorder.giveUp()
  await ended
})
