// Attempts are recorded, however long the database is down, and an endpoint is released only after all of its attempts.
import { expect, it } from 'vitest'
import type { FinishedAttempt } from '../../../src/features/webhooks/index.ts'
import { createRecorder } from '../../../workers/webhooks/recorder.ts'
import { testLog } from '../../support/database.ts'

const attempt = (endpointId: string, number: number): FinishedAttempt => ({
  deliveryId: `${endpointId}-${number}`,
  endpointId,
  number,
  attemptedAt: new Date(0),
  queuedAt: new Date(0),
  isOrdered: false,
  status: 200,
  storedUrl: 'https://owner.example/',
  latencyMs: 1,
  response: '',
  verdict: { outcome: 'delivered' },
})

it('records waiting attempts in order, retries failed writes, and releases no endpoint before its attempts are recorded', async () => {
  const written: string[] = []
  let failures = 2
  let batches = 0
  const recorder = createRecorder(testLog, async ({ attempts, released }) => {
    if (failures-- > 0) throw new Error('the database is down')
    batches++
    written.push(
      ...attempts.map(({ deliveryId }) => deliveryId),
      ...released.map((endpointId) => `release ${endpointId}`),
    )
  })
  const releases: Promise<void>[] = []
  for (let server = 0; server < 3; server++) {
    for (let n = 1; n <= 400; n++) recorder.add(attempt(`s${server}`, n))
    releases.push(recorder.release(`s${server}`))
  }
  await Promise.all(releases)
  expect(batches).toBeLessThanOrEqual(3)
  expect(written.filter((entry) => !entry.startsWith('release'))).toHaveLength(1_200)
  for (let server = 0; server < 3; server++) {
    const own = written.filter((entry) => entry.includes(`s${server}`))
    expect(own).toEqual([...Array.from({ length: 400 }, (_, n) => `s${server}-${n + 1}`), `release s${server}`])
  }
})

it('stops retrying on request, so that a worker can stop while the database is down', async () => {
  const recorder = createRecorder(testLog, () => Promise.reject(new Error('the database is down')))
  recorder.add(attempt('a', 1))
  const released = recorder.release('a')
  recorder.stopRetrying()
  await released
})
