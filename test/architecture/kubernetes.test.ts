// Checks the Kubernetes manifests and the systemd units against the settings, the image, Compose and each other.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readSettings, requireProcessSettings } from '../../src/platform/config/settings.ts'
import { SettingsSchema } from '../../src/platform/config/settings-schema.ts'
import { KILL_SECONDS } from '../../src/platform/processes/stop.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const BASE = path.join(ROOT, 'ops/kubernetes/base')
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')

interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  image: string
  args: string[]
  ports?: { name: string; containerPort: number }[]
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  resources: { requests: Record<string, string>; limits: { memory: string } }
  securityContext: object
}
interface PodSpec {
  terminationGracePeriodSeconds?: number
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  securityContext: object
  containers: [Container]
}
type Labels = Record<string, string>
interface Manifest {
  kind: string
  metadata: { name: string }
  spec: {
    template?: { metadata: { labels: Labels }; spec: PodSpec }
    selector?: Labels & { matchLabels?: Labels }
    podSelector?: { matchLabels: Labels }
    scaleTargetRef?: { name: string }
    ports?: { targetPort: string }[]
    ingress?: { ports: { port: string }[] }[]
  }
}

const { resources, images, configMapGenerator } = parse(read('ops/kubernetes/base/kustomization.yaml')) as {
  resources: string[]
  images: { name: string; newTag: string }[]
  configMapGenerator: { name: string; literals: string[] }[]
}
const manifests = resources.flatMap((file) =>
  parseAllDocuments(fs.readFileSync(path.join(BASE, file), 'utf8')).map((document) => document.toJS() as Manifest),
)
const settings = Object.fromEntries(
  configMapGenerator.flatMap(({ literals }) => literals.map((line) => line.split(/=(.*)/).slice(0, 2))),
) as Record<string, string>
const pods = manifests.flatMap(({ metadata: { name }, spec: { template } }) =>
  template ? [{ name, ...template }] : [],
)
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, { command: string[]; mem_limit: string; environment: Record<string, unknown> }>
}
const SECRETS = { DATABASE_URL: 'postgres://db/directory', APP_SECRET: 'x'.repeat(32) }

describe('the Kubernetes base', () => {
  it('sets known settings, and with the secrets enough to start', () => {
    expect(Object.keys(SettingsSchema.shape)).toEqual(expect.arrayContaining(Object.keys(settings)))
    expect(requireProcessSettings(readSettings({ ...settings, ...SECRETS })).NODE_ENV).toBe('production')
    expect(Object.keys(settings).filter((name) => /SECRET|PASSWORD|DATABASE_URL|SMTP_URL/.test(name))).toEqual([])
  })

  it('runs the programs of Compose, with as much memory at most', () => {
    expect(pods.map(({ name }) => name)).toEqual(['migrate', 'api', 'worker'])
    for (const { name, spec } of pods) {
      const [{ args, image, resources, envFrom }] = spec.containers
      expect(args).toEqual(services[name]?.command)
      expect(Number.parseInt(resources.limits.memory, 10)).toBeLessThanOrEqual(
        Number.parseInt(services[name]?.mem_limit ?? '', 10),
      )
      expect(images).toEqual([expect.objectContaining({ name: image })])
      expect(envFrom).toEqual([{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'server-directory' } }])
    }
  })

  it('scales by pods, which the autoscalers count', () => {
    expect(settings).toMatchObject({ API_PROCESSES: '1', WORKER_PROCESSES: '1' })
  })

  it('is of this version', () => {
    expect(images[0]?.newTag).toBe((JSON.parse(read('package.json')) as { version: string }).version)
  })

  it('opens the ports of the settings, and probes the one for operators', () => {
    const ports = Object.fromEntries(pods.map(({ name, spec }) => [name, spec.containers[0].ports]))
    expect(ports.api).toEqual([
      { name: 'http', containerPort: Number(settings.PORT) },
      { name: 'operator', containerPort: Number(settings.OPERATOR_PORT) },
    ])
    expect(ports.worker).toEqual([{ name: 'operator', containerPort: Number(settings.WORKER_PORT) }])
    for (const { spec } of pods.filter(({ name }) => name !== 'migrate')) {
      const [{ startupProbe, livenessProbe, readinessProbe }] = spec.containers
      const asked = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)
      const at = (file: string) => ({ path: file, port: 'operator' })
      expect(asked).toEqual([at('/healthz'), at('/healthz'), at('/readyz')])
    }
    const reached = [
      ...ofKind('Service').flatMap(({ spec }) => spec.ports?.map(({ targetPort }) => targetPort) ?? []),
      ...ofKind('NetworkPolicy').flatMap(
        ({ spec }) => spec.ingress?.flatMap((rule) => rule.ports.map(({ port }) => port)) ?? [],
      ),
    ]
    expect(new Set(reached)).toEqual(new Set(['http', 'operator']))
  })

  it('has an autoscaler and a disruption budget for each process, which select its pods', () => {
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef?.name)
    expect(scaled).toEqual(['api', 'worker'])
    const labelsOf = Object.fromEntries(pods.map(({ name, metadata: { labels } }) => [name, labels]))
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(ofKind(kind).map(({ metadata, spec }) => [metadata.name, spec.selector?.matchLabels])).toEqual([
        ['api', labelsOf.api],
        ['worker', labelsOf.worker],
      ])
    expect(ofKind('Service').map(({ spec }) => spec.selector)).toEqual([labelsOf.api])
  })

  it('runs nothing as root, with privileges, or with a writable image', () => {
    for (const { spec } of pods) {
      expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('gives each process longer to stop than it takes at most', () => {
    const { DRAIN_SECONDS } = readSettings({ ...settings, ...SECRETS })
    for (const { spec } of pods.filter(({ name }) => name !== 'migrate'))
      expect(spec.terminationGracePeriodSeconds).toBe(DRAIN_SECONDS + KILL_SECONDS.service)
  })
})

describe.each(['api', 'worker'])('the systemd unit of the %s', (name) => {
  const unit = read(`ops/systemd/server-directory-${name}.service`)
  const given = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  it('runs the program of Compose, after migrating', () => {
    const installed = (command: string[] = []) =>
      ['/opt/server-directory/', command[0] === 'node' ? 'node_modules/.bin/' : '', command.join(' ')].join('')
    expect(given('ExecStart')).toEqual([installed(services[name]?.command)])
    expect(given('ExecStartPre')).toEqual([installed(services.migrate?.command)])
  })

  it('sets known settings, and no secret', () => {
    const names = given('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')[0] ?? ''))
    expect(names.filter((one) => !(one in SettingsSchema.shape))).toEqual([])
    expect(given('EnvironmentFile')).toEqual(['/etc/server-directory/settings'])
  })

  it('has longer to stop than the process takes at most', () => {
    const { DRAIN_SECONDS } = readSettings({ NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32) })
    expect(given('TimeoutStopSec')).toEqual([String(DRAIN_SECONDS + KILL_SECONDS.service)])
  })
})

it('workflows run `.ci/run` and `.ci/nightly`, and use actions of one version', () => {
  const files = fs.readdirSync(path.join(ROOT, '.github/workflows')).map((file) => read(`.github/workflows/${file}`))
  expect(files.length).toBe(3)
  for (const script of ['run', 'nightly'])
    expect(files.join('\n')).toMatch(new RegExp(`^ +- run: \\.ci/${script}$`, 'm'))
  const used = files.flatMap((text) =>
    [...text.matchAll(/uses: ([\w./-]+(?:@\S+)?)/g)].map(([, action = '']) => action),
  )
  for (const action of used)
    expect(action).toMatch(/^(\.\/\.github\/workflows\/(ci|nightly)\.yml|[\w-]+\/[\w-]+@v\d+\.\d+\.\d+)$/)
})
