// Attempts are recorded, however long the database is down, and an endpoint is released only after all of its attempts.
import { expect, it } from 'vitest'
import { applyResults, type FinishedAttempt } from '../../../src/features/webhooks/index.ts'
import { createRecorder } from '../../../workers/webhooks/recorder.ts'
import { testLog } from '../../support/database.ts'
import { createWorld } from './support.ts'

const world = await createWorld()
const isDown = () => Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' })

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
    if (failures-- > 0) throw isDown()
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
  const recorder = createRecorder(testLog, () => Promise.reject(isDown()))
  recorder.add(attempt('a', 1))
  const released = recorder.release('a')
  recorder.stopRetrying()
  await released
})

it('makes waiting deliveries to an ordered endpoint due after a success, also if the next delivery is refused', async () => {
  const endpointId = await world.addVotifier('votifier2', 1, 'token')
  const { rows } = await world.pool.query<{ url: string }>('select url from endpoints where id = $1', [endpointId])
  const [first = '', second = '', waiting = ''] = [
    await world.queue(endpointId),
    await world.queue(endpointId),
    await world.queue(endpointId),
  ]
  await world.pool.query(`update endpoint_deliveries set due_at = now() + interval '1 hour' where id = $1`, [waiting])
  const of = { ...attempt(endpointId, 1), storedUrl: rows[0]?.url ?? '', isOrdered: true }
  await applyResults(world, {
    attempts: [
      { ...of, deliveryId: first },
      { ...of, deliveryId: second, verdict: { outcome: 'refused' } },
    ],
    released: [],
    leaseId: crypto.randomUUID(),
  })
  expect((await world.delivery(waiting)).dueIn).toBeLessThan(1)
})

it('records all others if the database refuses an attempt, of which it records what became of the delivery', async () => {
  const leaseId = crypto.randomUUID()
  const recorder = createRecorder(testLog, async (batch) => void (await applyResults(world, { ...batch, leaseId })))
  const queued: { id: string; endpointId: string; storedUrl: string }[] = []
  for (let n = 0; n < 5; n++) {
    const { serverId } = await world.addEndpoint(`https://owner.example/${n}`)
    const { rows } = await world.pool.query<{ url: string }>('select url from endpoints where id = $1', [serverId])
    queued.push({ id: await world.queue(serverId), endpointId: serverId, storedUrl: rows[0]?.url ?? '' })
  }
  const unrecordable = '\0' // PostgreSQL stores no text with it
  await Promise.all(
    queued.map(({ id, endpointId, storedUrl }, n) => {
      recorder.add({
        ...attempt(endpointId, 1),
        storedUrl,
        deliveryId: id,
        response: n === 1 || n === 3 ? unrecordable : 'thanks',
        verdict: { outcome: n === 3 ? 'failed' : 'delivered' },
      })
      return recorder.release(endpointId)
    }),
  )
  const states = await Promise.all(queued.map(async ({ id }) => (await world.delivery(id)).status))
  expect(states).toEqual(['delivered', 'delivered', 'delivered', 'dead', 'delivered'])
  expect(await world.attempts(queued[1]?.id ?? '')).toMatchObject([
    { error: 'the answer can’t be recorded', response: '' },
  ])
  expect(await world.attempts(queued[4]?.id ?? '')).toMatchObject([{ status: 200, error: null, response: 'thanks' }])
})
