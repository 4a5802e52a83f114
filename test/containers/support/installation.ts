// A copy of the project in which docker-compose.yml runs, with the tests' additions in docker-compose.override.yml.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { freePort } from '../../../commands/start/ports.ts'
import { type Engine, ROOT } from './engine.ts'

/** Public by the rules of production, but routed to this machine only. */
const SUBNET = '100.128.7.0/24'
/** This machine's address for the containers: the tests' game servers and webhook receivers listen here. */
export const HOST_ADDRESS = '100.128.7.1'

export interface Installation {
  folder: string
  ports: { public: number; prometheus: number; grafana: number }
  url: string
  env: Record<string, string>
  /** Runs a command in the project's copy. @returns its output @throws Error with its error output when it fails */
  sh(command: string): Promise<string>
  /** @returns ids of a service's running and stopped containers */
  containersOf(service: string): Promise<string[]>
  inspect(container: string, format: string): Promise<string>
  isHealthy(container: string): Promise<boolean>
  /** Signals a container's main process directly, as a crash does, without the engine. */
  signal(container: string, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  remove(): Promise<void>
}

export async function createInstallation(engine: Engine): Promise<Installation> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-compose-'))
  copyProject(folder)
  createCertificate(path.join(folder, 'receiver'))
  const ports = {
    public: await freePort(),
    prometheus: await freePort(),
    grafana: await freePort(),
  }
  writeOverride(folder, engine)
  const env = {
    ...engine.env,
    COMPOSE_PROJECT_NAME: path.basename(folder).toLowerCase(),
    PORT: String(ports.public),
    PROMETHEUS_PORT: String(ports.prometheus),
    GRAFANA_PORT: String(ports.grafana),
  }
  const sh = async (command: string) => {
    const run = promisify(execFile)
    try {
      const options = { cwd: folder, env, maxBuffer: 1 << 26 }
      const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', command], options)
      return stdout.trim()
    } catch (error) {
      const { message, stdout } = error as Error & { stdout: string }
      throw new Error(`${message}\nprinted:\n${stdout}`, { cause: error })
    }
  }
  const inspect = (container: string, format: string) => sh(`docker inspect --format '${format}' ${container}`)
  return {
    folder,
    ports,
    url: `http://localhost:${ports.public}`,
    env,
    sh,
    inspect,
    containersOf: async (service) =>
      (await sh(`docker compose ps --all --quiet ${service}`)).split('\n').filter(Boolean),
    async isHealthy(container) {
      if (engine.name === 'docker') return (await inspect(container, '{{.State.Health.Status}}')) === 'healthy'
      return spawnSync('podman', ['healthcheck', 'run', container], { env, stdio: 'ignore' }).status === 0
    },
    async signal(container, signal) {
      const pid = await inspect(container, '{{.State.Pid}}')
      const kill = `process.kill(${pid}, '${signal}')`
      await sh(
        `docker run --rm --pid host --network none --user root --cap-add KILL server-directory node -e "${kill}"`,
      )
    },
    async remove() {
      if (fs.existsSync(path.join(folder, '.env'))) {
        // podman-compose knows only as many containers of a service as its last command named.
        const left = `docker ps --all --quiet --filter label=com.docker.compose.project=${env.COMPOSE_PROJECT_NAME}`
        await sh(`docker compose stop --timeout 10; ${left} | xargs --no-run-if-empty docker rm --force >/dev/null`)
        await sh('docker compose down --volumes --timeout 10')
      }
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies the files that are or will be under version control, as a clone has them. */
function copyProject(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    if (!fs.existsSync(path.join(ROOT, file))) continue
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.copyFileSync(path.join(ROOT, file), path.join(folder, file))
  }
}

/** Production requires https: the receiver's self-signed certificate is its own authority, which the worker trusts. */
function createCertificate(folder: string): void {
  fs.mkdirSync(folder)
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${HOST_ADDRESS}`],
      ...['-addext', `subjectAltName=IP:${HOST_ADDRESS}`, '-keyout', 'key.pem', '-out', 'certificate.pem'],
    ],
    { cwd: folder, stdio: 'ignore' },
  )
  fs.chmodSync(folder, 0o755)
}

function writeOverride(folder: string, engine: Engine): void {
  const services: Record<string, object> = {
    // The rolling update's load comes from one address.
    api: { environment: { RATE_LIMIT_IP_PER_MINUTE: '0', RATE_LIMIT_IP_PER_HOUR: '0' } },
    worker: {
      environment: { NODE_EXTRA_CA_CERTS: '/receiver/certificate.pem', POLL_INTERVAL_SECONDS: '2' },
      volumes: ['./receiver:/receiver:ro'],
    },
  }
  for (const [service, image] of Object.entries(engine.images)) services[service] = { ...services[service], image }
  const networks = { outgoing: { ipam: { config: [{ subnet: SUBNET }] } } }
  fs.writeFileSync(path.join(folder, 'docker-compose.override.yml'), stringify({ services, networks }))
}
