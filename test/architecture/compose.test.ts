// docker-compose.yml against the settings, the image and what each container needs.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../src/platform/config/settings.ts'
import { SettingsSchema } from '../../src/platform/config/settings-schema.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const text = fs.readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8')
const dockerfile = fs.readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
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
}
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> }
const ours = Object.entries(services).filter(([, service]) => service.build)

/** As `docker compose` fills in `${NAME:-default}` and `${NAME:?message}`. */
function substitute(value: string | number, given: Record<string, string>): string {
  return String(value).replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name, kind, rest) => {
    if (given[name]) return given[name]
    if (kind === '-') return rest
    throw new Error(rest)
  })
}

describe('docker-compose.yml', () => {
  it('sets only settings that there are', () => {
    for (const [, { environment }] of ours) expect(SETTINGS).toEqual(expect.arrayContaining(Object.keys(environment)))
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
    for (const foreign of ['POSTGRES_PASSWORD', 'GRAFANA_PASSWORD']) asked.delete(foreign)
    expect(SETTINGS).toEqual(expect.arrayContaining([...asked]))
  })

  it('gives each process settings it can start with, and holds no secret itself', () => {
    const secrets = {
      APP_SECRET: 'x'.repeat(32),
      POSTGRES_PASSWORD: 'secret',
      DASHBOARD_PASSWORD: 'x'.repeat(12),
      PUBLIC_BASE_URL: 'https://directory.example',
    }
    for (const [, { environment }] of ours) {
      const filled = (given: Record<string, string>) =>
        Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, substitute(value, given)]))
      expect(readSettings(filled(secrets)).NODE_ENV).toBe('production')
      expect(() => filled({})).toThrow('set POSTGRES_PASSWORD')
      expect(() => filled({ POSTGRES_PASSWORD: 'secret' })).toThrow('set APP_SECRET')
    }
  })

  it('runs programs that are copied into the image', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!package)(\S+)/gm)].map(([, folder = '']) => folder)
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker', 'dashboard'])
    for (const [, { command = [] }] of ours) {
      const program = command.slice(1).find((word) => !word.startsWith('--')) ?? ''
      expect(command[0]).toBe('node')
      expect(fs.existsSync(path.join(ROOT, program))).toBe(true)
      expect(copied.some((folder) => program.startsWith(`${folder}/`))).toBe(true)
    }
    for (const folder of copied) expect(fs.existsSync(path.join(ROOT, folder))).toBe(true)
  })

  it('pins its images, bounds every container and checks the health of those that stay', () => {
    const foreign = Object.values(services).flatMap(({ build, image }) => (build ? [] : [image]))
    expect(foreign).toHaveLength(3)
    for (const image of [...foreign, /^FROM (\S+)/m.exec(dockerfile)?.[1] ?? ''])
      expect(image).toMatch(/^[a-z]+(\/[a-z]+)?:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$/)
    for (const service of Object.values(services)) {
      expect(service.mem_limit).toMatch(/^\d+[mg]$/)
      expect(service.cpus).toBeGreaterThan(0)
      if (service.restart !== 'no') expect(service.healthcheck?.test.length).toBeGreaterThan(1)
    }
    expect(dockerfile).toMatch(/^USER node$/m)
    for (const { build, user } of Object.values(services))
      if (!build) expect(user).toMatch(/^(postgres|nobody|grafana)$/)
  })

  it('mounts only files that there are', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    )
    const ofProject = mounted.filter((source) => source.startsWith('./'))
    expect(ofProject.length).toBeGreaterThan(0)
    for (const source of ofProject) expect(fs.existsSync(path.join(ROOT, source))).toBe(true)
  })

  it('checks health at the ports it sets', () => {
    for (const [name, setting] of [
      ['api', 'OPERATOR_PORT'],
      ['worker', 'WORKER_PORT'],
    ] as const) {
      const service = services[name]
      expect(service?.healthcheck?.test.join(' ')).toContain(`127.0.0.1:${service?.environment[setting]}/readyz`)
    }
  })
})
