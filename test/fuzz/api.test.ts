// Hostile requests to every operation of the served OpenAPI document, by every caller, generated from its schemas.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { createRconRunner, rconCommand } from '../../src/features/rcon/index.ts'
import { serverProbe } from '../../src/features/servers/index.ts'
import { createWorld } from '../architecture/authorization-world.ts'
import { startProvider, subscribe } from '../features/billing/support.ts'
import { startTestApi } from '../support/api.ts'
import { expectConsistent, expectDirectoryInStep, expectJobsRunnable } from './support/aftermath.ts'
import { prepare, send } from './support/exchange.ts'
import { createFindings } from './support/findings.ts'
import { faultsOf } from './support/judgement.ts'
import { ENDPOINT_KINDS, type FuzzWorld, Meant, OTHER_ENDPOINTS } from './support/meant.ts'
import { type Operation, operationsOf } from './support/operations.ts'
import { type Plan, plainRequest, requestTo } from './support/requests.ts'
import { FUZZ_SECONDS, FUZZ_SEED, FUZZ_TIMEOUT, runFor } from './support/run.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-fuzz-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const logged: string[] = []
const log = pino({ level: 'error' }, { write: (line) => void logged.push(line) })
const provider = await startProvider()
const api = await startTestApi({
  log,
  settings: {
    DISCORD_CLIENT_ID: 'an-id',
    DISCORD_CLIENT_SECRET: 'a-secret-of-the-chat',
    TRUST_PROXY: '1',
    DISCOVER: 'announcements',
    DATA_DIR: folder,
    ...provider.settings,
  },
})
const { pool } = api.database
// Stands in for the worker that runs RCON commands; the game server echoes the command, or worse.
const runCommand = createRconRunner(api.deps, async () => ({ response: 'fine \0\ud800\u202e' }))
const silent = { outcome: 'silent' }
await api.deps.jobs.boss.work(serverProbe.queue, { pollingIntervalSeconds: 0.5 }, async () => silent)
await api.deps.jobs.boss.work<{ commandId: string }>(
  rconCommand.queue,
  { pollingIntervalSeconds: 0.5 },
  async (jobs) => {
    for (const { data } of jobs) await runCommand(data)
  },
)
const operations = operationsOf(api.contract.document)

/** The directory already has its server. */
async function newWorld(kinds = ENDPOINT_KINDS): Promise<FuzzWorld> {
  const world = await createWorld(pool)
  await subscribe(provider, pool, world.people.owner.id)
  await api.directory.refresh()
  const { cursor } = (await (await api.request('/api/servers/changes?limit=1')).json()) as { cursor: string }
  const list = (await (await api.request('/api/servers?limit=1')).json()) as { nextCursor: string | null }
  if (list.nextCursor === null) throw new Error('the world has one server only')
  const otherEndpointIds = {} as FuzzWorld['otherEndpointIds']
  for (const kind of kinds) {
    const added = await api.request(`/api/servers/${world.server.id}/endpoints`, {
      method: 'POST',
      headers: { ...world.headers.owner, 'content-type': 'application/json' },
      body: JSON.stringify({ kind, ...OTHER_ENDPOINTS[kind] }),
    })
    otherEndpointIds[kind] = ((await added.json()) as { id: string }).id
  }
  return { ...world, cursor, listCursor: list.nextCursor, otherEndpointIds }
}

/** Reads change nothing, so they share one world. */
const common = await newWorld()
const worldFor = async ({ method, name }: Operation) => {
  if (method === 'GET') return common
  // A server has at most five endpoints, and the world has one of each kind.
  return newWorld(name === 'POST /servers/{id}/endpoints' ? ENDPOINT_KINDS.slice(1) : ENDPOINT_KINDS)
}

/** Operations that work once, or that take from the caller what the next request needs. */
const LEAVES_LESS =
  /^(DELETE|PATCH \/admin|PATCH \/user\/api-keys|POST \/auth|POST \/user\/(password|unlink)|POST \/auctions\/\{id\}\/checkout)/

describe('the minimal valid request of each operation is accepted', () => {
  /** Needs a session at a provider, or an image of this name; other tests have one. */
  const NEEDS_MORE: Record<string, number> = {
    'GET /auth/chat/callback': 400,
    'POST /admin/discovery/blocks': 400,
    'POST /admin/servers/import': 400, // a file without a header
    'POST /admin/discovery/sources/{source}/run': 404,
    'GET /auth/gameplatform/callback': 400,
    // No login waits for its second step, and no authenticator answers.
    'GET /auth/second-step': 401,
    'POST /auth/second-step': 401,
    'POST /auth/second-step/passkey': 401,
    'POST /user/second-factor/passkeys': 400,
    'PATCH /user/second-factor/passkeys/{passkeyId}': 404,
    'DELETE /user/second-factor/passkeys/{passkeyId}': 404,
    'DELETE /user/second-factor/codes': 404,
    'POST /user/second-factor/codes/confirm': 400,
    'POST /user/second-factor/recovery-codes': 400,
    'POST /user/second-factor/confirm': 401,
    'GET /billing/checkout/{sessionId}': 404,
    'POST /servers/recognize': 400, // an address by its rules
    'GET /icons/{file}': 404,
    'GET /images/{file}': 404,
    'POST /servers/{id}/vote/reminder': 400,
    'GET /vote-reminders/{id}': 404,
    'POST /user/push-browsers': 400, // no browser's subscription
    'DELETE /user/push-browsers/{id}': 404,
    'POST /servers/{id}/vote/mail-reminder': 400,
    'POST /user/invitations/{id}/accept': 404, // of another caller
    'POST /user/invitations/{id}/decline': 404,
    'DELETE /user/sessions/{id}': 404,
    'GET /admin/votes/preview': 400, // no criterion
    'POST /admin/votes/void': 400,
    'POST /admin/votes/voidings/{id}/restore': 404,
  }
  it.each(operations)('$name', async (operation) => {
    const world = await worldFor(operation)
    const sent = prepare(plainRequest(operation), world)
    const answer = await send(api.url, sent)
    expect(faultsOf(api.contract, world, sent, answer), answer.body).toEqual([])
    const refused = NEEDS_MORE[operation.name]
    expect(refused ? [refused] : [200, 201, 202, 302], answer.body).toContain(answer.status)
  })
})

const findings = createFindings()

async function tryOne(plan: Plan, world: FuzzWorld): Promise<number> {
  const sent = prepare(plan, world)
  try {
    const answer = await send(api.url, sent)
    findings.add(sent, answer, faultsOf(api.contract, world, sent, answer))
    return answer.status
  } catch (error) {
    findings.add(sent, undefined, [`no answer: ${(error as Error).message}`])
    return 0
  }
}

it('no request makes an operation fail, leak secrets, or differ from the document', FUZZ_TIMEOUT, async () => {
  for (const operation of operations) await fuzz(operation, 0.74 / operations.length)
  expect(findings.list()).toEqual([])
})

async function fuzz(operation: Operation, share: number, part = operation.name, requests = requestTo(operation)) {
  let world = await worldFor(operation)
  const property = fc.asyncProperty(requests, async (plan) => {
    const status = await tryOne(plan, world)
    if (status >= 200 && status < 300 && LEAVES_LESS.test(operation.name)) world = await newWorld()
  })
  await runFor(part, share, property)
}

// Apart, since fields drawn from all kinds seldom belong to one of them.
it.each(ENDPOINT_KINDS)('nor does a change of an endpoint of the kind %s', FUZZ_TIMEOUT, async (kind) => {
  const name = 'PATCH /servers/{id}/endpoints/{endpointId}'
  const operation = operations.find((one) => one.name === name)
  if (!operation?.body) throw new Error(`${name} is not in the document`)
  const fields = Object.keys(OTHER_ENDPOINTS[kind])
  const { schema } = operation.body
  const ofKind = Object.entries(schema.properties ?? {}).filter(([field]) => fields.includes(field))
  const body = { ...operation.body, schema: { ...schema, properties: Object.fromEntries(ofKind) } }
  const toKind = (plan: Plan) => ({ ...plan, path: { ...plan.path, endpointId: new Meant(`${kind}EndpointId`) } })
  const plain = plainRequest(operation)
  const whole = { value: OTHER_ENDPOINTS[kind], headers: { 'content-type': 'application/json' } }
  expect(await tryOne(toKind({ ...plain, content: whole }), await newWorld())).toBe(200)
  await fuzz(operation, 0.02, `${name} ${kind}`, requestTo({ ...operation, body }).map(toKind))
  expect(findings.list()).toEqual([])
})

it('nor do many concurrent requests', FUZZ_TIMEOUT, async () => {
  const any = fc.constantFrom(...operations).chain(requestTo)
  const property = fc.asyncProperty(fc.array(any, { minLength: 4, maxLength: 24 }), async (plans) => {
    const world = await newWorld()
    await Promise.all(plans.map((plan) => tryOne(plan, world)))
  })
  await runFor('many at once', 0.2, property)
  expect(findings.list()).toEqual([])
})

describe('afterwards', () => {
  it('the API is ready, and has logged no error', async () => {
    console.log(`Fuzz, the same again with FUZZ_SEED=${FUZZ_SEED} FUZZ_SECONDS=${FUZZ_SECONDS}: ${findings.tried()}`)
    expect((await api.request('/readyz')).status).toBe(200)
    expect(logged.slice(0, 5)).toEqual([])
  })

  it('every counter equals the number of its rows', () => expectConsistent(pool))

  it('the directory matches the tables', () => expectDirectoryInStep(api))

  it('the workers can handle every job', FUZZ_TIMEOUT, async () => {
    console.log('Jobs it left:', JSON.stringify(await expectJobsRunnable(api.deps)))
  })
})
