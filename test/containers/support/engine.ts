// Finds the container engine: docker, or Debian's podman with podman-compose and stand-ins for the public images.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findProgram } from '../../support/installed.ts'

export const ROOT = path.resolve(import.meta.dirname, '../../..')

export interface Engine {
  name: 'docker' | 'podman'
  /** Environment for every command; `docker` and `docker compose` work with it. */
  env: Record<string, string>
  /** Replacement images by service of docker-compose.yml. */
  images: Record<string, string>
  /** The base image of the product's image. */
  base: string
}

const works = (program: string, args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** Where distributions keep podman's programs for networks, outside the PATH. */
const NETWORK_FOLDERS = ['/usr/lib/podman', '/usr/libexec/podman']

/** @returns the engine, or the reason why there is none */
export function findEngine(): Engine | string {
  const env = { PATH: process.env.PATH ?? '', HOME: os.homedir() }
  if (works('docker', ['info']) && works('docker', ['compose', 'version']))
    return { name: 'docker', env, images: {}, base: baseImage() }
  const missing = ['podman', 'runc', 'debootstrap', 'iptables', 'podman-compose'].filter((name) => !findProgram(name))
  if (missing.length) return `neither docker with compose nor all of podman’s programs are here (missing: ${missing})`
  if (!NETWORK_FOLDERS.some((folder) => fs.existsSync(path.join(folder, 'aardvark-dns'))))
    return 'podman’s networks have no name server (Debian’s package: aardvark-dns)'
  const { stdout: version } = spawnSync('podman-compose', ['--version'], { encoding: 'utf8' })
  if (/version 1\.0\./.test(version)) return 'podman-compose 1.0 can’t read docker-compose.yml: pip has a newer one'
  if (process.getuid?.() !== 0) return 'podman’s networks and stand-in images need root'
  return preparePodman(env)
}

const baseImage = () => /^FROM (\S+)/m.exec(fs.readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'))?.[1] ?? ''

/**
 * The tests' images, containers and networks have their own folder, which later runs reuse. On disk: images are large.
 */
function preparePodman(env: Engine['env']): Engine {
  const folder = '/var/tmp/server-directory-containers'
  fs.mkdirSync(path.join(folder, 'networks'), { recursive: true })
  fs.mkdirSync(path.join(folder, 'bin'), { recursive: true })
  const file = (name: string, text: string, mode = 0o644) => {
    fs.writeFileSync(path.join(folder, name), text, { mode })
    return path.join(folder, name)
  }
  // Limits below a machine's defaults: where raising them is not allowed, no container would start.
  const containers = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=2048:2048"]
[engine]
runtime = "runc"
[network]
network_config_dir = "${folder}/networks"
`
  const storage = (driver: string) =>
    `[storage]\ndriver = "${driver}"\ngraphroot = "${folder}/${driver}"\nrunroot = "${folder}/run"\n`
  const engine: Engine = {
    name: 'podman',
    env: {
      ...env,
      PATH: `${folder}/bin:${env.PATH}`,
      CONTAINERS_CONF: file('containers.conf', containers),
      CONTAINERS_STORAGE_CONF: file('storage.conf', storage('overlay')),
      PODMAN_COMPOSE_WARNING_LOGS: 'false',
      ...(process.env.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS } : {}),
    },
    images: {
      postgres: 'localhost/stand-in/postgres:latest',
      balancer: 'localhost/stand-in/haproxy:latest',
      prometheus: 'localhost/stand-in/prometheus:latest',
    },
    base: `docker.io/library/${baseImage()}`,
  }
  // Without overlay mounts each layer is a copy: slower, but always possible.
  if (spawnSync('podman', ['info'], { env: engine.env, stdio: 'ignore' }).status !== 0)
    file('storage.conf', storage('vfs'))
  const shim = path.join(ROOT, 'test/containers/support/podman-as-docker.ts')
  file('bin/docker', `#!/bin/sh\nexec '${process.execPath}' '${shim}' "$@"\n`, 0o755)
  execFileSync(path.join(ROOT, 'test/containers/stand-in-images.sh'), { env: engine.env, stdio: 'inherit' })
  // In this image store the stand-in has the name that the Dockerfile requests.
  execFileSync('podman', ['tag', 'localhost/stand-in/node:latest', engine.base], { env: engine.env })
  // Removes what a killed run has left: containers, networks, volumes, and images without a name. Young ones are layers
  // that the next build takes from the cache.
  const podman = (...args: string[]) => execFileSync('podman', args, { env: engine.env, stdio: 'ignore' })
  podman('rm', '--all', '--force', '--time', '0')
  podman('network', 'prune', '--force')
  podman('volume', 'prune', '--force')
  podman('image', 'prune', '--force', '--filter', 'until=3h')
  return engine
}
