// Processes that die between a payment and its tier: the API after its acknowledgement, a worker at work.
import { expect, test } from 'vitest'
import { deliver, lastOf, order, startEntrance, startProvider, tierOf } from '../features/billing/support.ts'
import { createTestDatabase } from '../support/database.ts'
import { addPerson } from '../support/people.ts'
import { type RunningProcess, startProcess } from '../support/processes.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const provider = await startProvider()
const { actions, state } = provider
const { url: databaseUrl, pool } = await createTestDatabase()

async function kill({ child }: RunningProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

const client = ({ url }: RunningProcess) => ({ request: (path: string, init?: RequestInit) => fetch(url + path, init) })

/** Pays; the API acknowledges the first event and is killed at once. */
async function payAndKillApi(api: RunningProcess): Promise<string> {
  const person = await addPerson(pool)
  const { body } = await order(client(api), person, 'premium')
  const session = state.sessions[body.sessionId]
  if (!session) throw new Error('there is no such page')
  const [first] = actions.pay(session)
  const { status } = await deliver(client(api), first?.event ?? {})
  await kill(api)
  expect(status).toBe(200)
  return person.id
}

test(
  'payments under kills: the API killed right after its acknowledgement, the tier arrives and stays right whatever comes again',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const userId = await payAndKillApi(await startProcess('src/main.ts', databaseUrl, provider.settings))
    expect(await tierOf(pool, userId)).toBe('free')
    await startProcess('workers/main.ts', databaseUrl, provider.settings)
    await expect.poll(() => tierOf(pool, userId), { timeout: 20_000 }).toBe('premium')

    // The provider delivers the others, and the acknowledged one again, to the restarted API.
    const subscription = lastOf(state.subscriptions)
    actions.changePrice(subscription, 'price_sandbox_enterprise')
    const again = await startProcess('src/main.ts', databaseUrl, provider.settings)
    for (const { event } of state.events) expect((await deliver(client(again), event)).status).toBe(200)
    await expect.poll(() => tierOf(pool, userId), { timeout: 20_000 }).toBe('enterprise')
    run.tried('API process killed after its acknowledgement')
    run.worked('events delivered again', state.events.length)
    run.expectNothingLost({ tiers: (await tierOf(pool, userId)) === 'enterprise' ? [] : [userId] })
  },
  FAULT_RUN_TIMEOUT_MS,
)

test(
  'payments under kills: a worker killed while it asks the provider, another finishes',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const entrance = await startEntrance(provider, { answered: false })
    const letGo = entrance.hold()
    const userId = await payAndKillApi(await startProcess('src/main.ts', databaseUrl, provider.settings))
    const worker = await startProcess('workers/main.ts', databaseUrl, entrance.settings)
    await expect.poll(() => entrance.held(), { timeout: 20_000 }).toBeGreaterThan(0)
    await kill(worker)
    expect(await tierOf(pool, userId)).toBe('free')
    letGo()
    await startProcess('workers/main.ts', databaseUrl, entrance.settings)
    await expect.poll(() => tierOf(pool, userId), { timeout: 60_000, interval: 200 }).toBe('premium')
    run.tried('worker killed while it asks the provider')
    run.worked('payments applied', 1)
    run.expectNothingLost({ tiers: (await tierOf(pool, userId)) === 'premium' ? [] : [userId] })
  },
  FAULT_RUN_TIMEOUT_MS,
)
