// Every start script, stopped by a signal to its process or to its process group: what runs is finished.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { descendants, isRunning, temporaryFolder, tryKill } from '../commands/support/start-launcher.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld, startReceiver } from '../workers/webhooks/support.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const WAIT_OPTIONS = { timeout: 60_000, interval: 50 }
const SEVERAL = { API_PROCESSES: '2', WORKER_PROCESSES: '2' }

type To = 'process' | 'group'
type Sent = [signal: NodeJS.Signals, to: To]
const TERMINATED: Sent[] = [
  ['SIGTERM', 'process'],
  ['SIGTERM', 'group'],
]
const INTERRUPTED: Sent = ['SIGINT', 'group'] // by Ctrl-C

/** Runs the script in a process group of its own, as a terminal and systemd do, and waits for a line of its output. */
async function startScript(script: string, databaseUrl: string, ready: string, env: Partial<typeof SEVERAL>) {
  const ports = { PORT: String(await freePort()), WORKER_PORT: String(await freePort()) }
  const child = spawn('npm', ['run', script], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      APP_SECRET: 'a secret of the tests, 32 characters and more',
      DATA_DIR: path.join(temporaryFolder(), 'data'),
      DRAIN_SECONDS: '1', // a second signal comes while the process drains
      ...ports,
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const pid = child.pid ?? 0
  const ended = once(child, 'close')
  let started: number[] = []
  onTestFinished(() => {
    for (const each of [...started, pid]) tryKill(each)
  })
  const processes = script.startsWith('start:') ? Number(env.API_PROCESSES ?? 1) : 1
  await vi.waitFor(() => expect(output.split(ready)).toHaveLength(processes + 1), WAIT_OPTIONS)
  started = descendants(pid).map((each) => each.pid)
  return {
    apiUrl: `http://127.0.0.1:${ports.PORT}`,
    output: () => output,
    kill: (signal: NodeJS.Signals, to: To) => process.kill(to === 'group' ? -pid : pid, signal),
    /** Also the processes that npm does not wait for. */
    async untilEnded() {
      await ended
      await vi.waitFor(() => expect(started.filter(isRunning)).toEqual([]), WAIT_OPTIONS)
    },
  }
}

/** A request whose body is incomplete until `finish`. */
async function beginRequest(url: string) {
  const body = JSON.stringify({ email: 'someone@example.com', password: 'a wrong password' })
  const req = request(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  })
  const answered = once(req, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => {}) // awaited in `finish`
  req.write(body.slice(0, 10))
  await once(req, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
  return {
    async finish(): Promise<number | undefined> {
      req.end(body.slice(10))
      const [response] = await answered
      response.resume()
      return response.statusCode
    },
  }
}

const acceptsConnections = (url: string) =>
  // A connection that a primary accepts while its processes close is not answered.
  fetch(`${url}/healthz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  )

async function expectRequestFinished(
  { apiUrl, kill }: Awaited<ReturnType<typeof startScript>>,
  signal: NodeJS.Signals,
  to: To,
) {
  expect(await acceptsConnections(apiUrl)).toBe(true)
  const running = await beginRequest(apiUrl)
  kill(signal, to)
  // By then every repetition of the signal has arrived.
  await vi.waitFor(async () => expect(await acceptsConnections(apiUrl)).toBe(false), WAIT_OPTIONS)
  expect(await running.finish()).toBe(401)
}

describe.each([
  { name: 'one process', env: {}, sent: [...TERMINATED, INTERRUPTED] },
  { name: 'several', env: SEVERAL, sent: TERMINATED },
])('$name', ({ env, sent }) => {
  it.each(sent)('npm run start:api, %s to its %s: the request that runs is answered', async (signal, to) => {
    const { url } = await createTestDatabase()
    const api = await startScript('start:api', url, '"api listening"', env)
    await expectRequestFinished(api, signal, to)
    await api.untilEnded()
    expect(api.output()).toContain('"api stopped"')
  })

  it.each(sent)('npm run start:worker, %s to its %s: the webhook that is sent is recorded', async (signal, to) => {
    const world = await createWorld()
    const answers: (() => void)[] = []
    const receiver = await startReceiver((_one, res) => void answers.push(() => res.writeHead(200).end()))
    const { serverId } = await world.addEndpoint(receiver.url)
    const worker = await startScript('start:worker', world.url, '"worker listening"', env)
    const id = await world.queue(serverId)
    await vi.waitFor(() => expect(answers).toHaveLength(1), WAIT_OPTIONS)
    worker.kill(signal, to)
    await vi.waitFor(() => expect(worker.output()).toContain('"worker stopping"'), WAIT_OPTIONS)
    answers[0]?.()
    await worker.untilEnded()
    expect(worker.output()).toContain('"worker stopped"')
    const { rows } = await world.pool.query('select status, attempts from endpoint_deliveries where id = $1', [id])
    expect(rows).toEqual([{ status: 'delivered', attempts: 1 }])
  })
})

it.each<[script: string, ...Sent]>([
  ...TERMINATED.map(([signal, to]): [string, ...Sent] => ['start', signal, to]),
  ['demo', ...INTERRUPTED],
])('npm run %s, %s to its %s: the request that runs is answered', async (script, signal, to) => {
  const { url } = await createTestDatabase()
  const product = await startScript(script, url, 'is running.', SEVERAL)
  await expectRequestFinished(product, signal, to)
  await product.untilEnded()
  for (const line of ['api stopped', 'worker stopped', '\nstopped\n']) expect(product.output()).toContain(line)
  expect(product.output()).not.toContain('killed')
})
