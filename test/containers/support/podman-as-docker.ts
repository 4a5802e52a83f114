// `docker` with podman and podman-compose, for the commands of the documents and ops/. podman before 4.6 does not know
// `service_healthy` and runs no health check without systemd: this does both.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'

const HEALTHY_WITHIN_MS = 180_000
/** Services without a stand-in image (stand-in-images.sh). */
const LEFT_OUT = ['grafana']

interface Service {
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[] }
}

function run(program: string, args: string[]): void {
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function read(args: string[]): string {
  return spawnSync('podman', args, { encoding: 'utf8' }).stdout.trim()
}

/** The end of both of its streams. */
function logOf(container: string): string {
  const { stdout, stderr } = spawnSync('podman', ['logs', '--tail', '5', container], { encoding: 'utf8' })
  return stdout + stderr
}

const project = process.env.COMPOSE_PROJECT_NAME ?? ''
const containersOf = (service: string): string[] =>
  read([
    ...['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=com.docker.compose.project=${project}`],
    ...['--filter', `label=com.docker.compose.service=${service}`],
  ])
    .split('\n')
    .filter(Boolean)

async function untilHealthy(service: string): Promise<void> {
  const deadline = Date.now() + HEALTHY_WITHIN_MS
  for (const container of containersOf(service))
    while (spawnSync('podman', ['healthcheck', 'run', container]).status !== 0) {
      if (Date.now() > deadline) throw new Error(`${service} is not healthy: ${logOf(container)}`)
      await sleep(500)
    }
}

async function untilCompleted(service: string): Promise<void> {
  for (const container of containersOf(service)) {
    const code = read(['wait', container])
    if (code !== '0') throw new Error(`${service} ended with ${code}: ${logOf(container)}`)
  }
}

/** Starts services in the order of `depends_on`, each once its conditions hold, and waits until all are healthy. */
async function up(args: string[]): Promise<void> {
  const { services } = parse(fs.readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, Service>
  }
  const scale = new Map<string, string>()
  const flags: string[] = []
  const named: string[] = []
  for (let n = 0; n < args.length; n++) {
    const arg = args[n] ?? ''
    if (arg === '--scale') {
      const [service = '', count = '1'] = (args[++n] ?? '').split('=')
      scale.set(service, count)
    } else if (arg.startsWith('--')) flags.push(arg)
    else named.push(arg)
  }
  const passed = flags.filter((flag) => flag === '--no-recreate')
  const started = new Set<string>()

  async function start(service: string): Promise<void> {
    if (started.has(service)) return
    started.add(service)
    if (!flags.includes('--no-deps'))
      for (const [dependency, { condition }] of Object.entries(services[service]?.depends_on ?? {})) {
        await start(dependency)
        if (condition === 'service_healthy') await untilHealthy(dependency)
        if (condition === 'service_completed_successfully') await untilCompleted(dependency)
      }
    const count = scale.get(service)
    const scaled = count ? ['--scale', `${service}=${count}`] : []
    run('podman-compose', ['up', '--detach', '--no-build', '--no-deps', ...passed, ...scaled, service])
  }

  const wanted = (named.length ? named : Object.keys(services)).filter((service) => !LEFT_OUT.includes(service))
  for (const service of wanted) await start(service)
  for (const service of started) if (services[service]?.healthcheck?.test) await untilHealthy(service)
}

const [command = '', ...args] = process.argv.slice(2)
if (command !== 'compose') run('podman', [command, ...args])
else {
  const [verb = '', ...rest] = args
  if (verb === 'up') await up(rest)
  else if (verb === 'build')
    run('podman', [
      ...['build', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull=never'],
      ...['--tag', 'localhost/server-directory:latest', '.'],
    ])
  else if (verb === 'ps') process.stdout.write(`${containersOf(rest.at(-1) ?? '').join('\n')}\n`)
  else if (verb === 'run') run('podman-compose', ['run', '--no-deps', '-T', ...rest])
  else if (verb === 'exec') {
    const [service = '', ...program] = rest
    run('podman', ['exec', containersOf(service)[0] ?? '', ...program])
  } else run('podman-compose', [verb, ...rest])
}
