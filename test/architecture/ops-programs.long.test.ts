// Checks the files of ops/ with the programs that read them, where these are installed.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { MAX_IMAGE_BYTES } from '../../src/features/faces/index.ts'
import { temporaryFolder } from '../commands/support/start-launcher.ts'
import { startNginx } from '../faults/support/balancers.ts'
import { isMissing } from '../support/installed.ts'
import { startLoopbackServer } from '../support/loopback-server.ts'

const OPS = path.resolve(import.meta.dirname, '../../ops')
const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: OPS, encoding: 'utf8' })

it.skipIf(isMissing('promtool'))('promtool accepts the configuration of Prometheus and its rules', () => {
  const printed = run('promtool', 'check', 'config', 'prometheus/prometheus.yml')
  expect(printed).toMatch(/SUCCESS: \d{2} rules found/)
  expect(printed).toContain('prometheus.yml is valid prometheus config file syntax')
})

it.skipIf(isMissing('promtool')).each(['alerts', 'slo'])(
  'every alert of %s.yml fires and stays quiet in its promtool cases',
  (file) => {
    const read = (file: string) => parse(fs.readFileSync(path.join(OPS, file), 'utf8')) as unknown
    const { groups } = read(`prometheus/${file}.yml`) as { groups: { rules: { alert?: string }[] }[] }
    const { tests } = read(`prometheus/${file}_test.yml`) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
    }
    const cases = tests.flatMap((test) => test.alert_rule_test)
    const tested = (fires: boolean) =>
      new Set(cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === fires).map(({ alertname }) => alertname))
    const alerts = new Set(groups.flatMap(({ rules }) => rules.flatMap(({ alert = [] }) => alert)))
    expect({ firing: tested(true), quiet: tested(false) }).toEqual({ firing: alerts, quiet: alerts })
    expect(run('promtool', 'test', 'rules', `prometheus/${file}_test.yml`)).toContain('SUCCESS')
  },
)

it.skipIf(isMissing('promtool'))('the objectives hold with the bounds of buckets as Prometheus 3 writes them', () => {
  const cases = fs.readFileSync(path.join(OPS, 'prometheus/slo_test.yml'), 'utf8')
  const copy = path.join(temporaryFolder(), 'slo_test.yml')
  const rules = path.join(OPS, 'prometheus/slo.yml')
  fs.writeFileSync(copy, cases.replaceAll(/le="(\d+)"/g, 'le="$1.0"').replace('[slo.yml]', `['${rules}']`))
  expect(run('promtool', 'test', 'rules', copy)).toContain('SUCCESS')
})

it.skipIf(isMissing('haproxy'))('haproxy accepts its configuration', () => {
  expect(() => run('haproxy', '-c', '-q', '-f', 'haproxy/haproxy.cfg')).not.toThrow()
})

it.skipIf(isMissing('nginx'))('nginx passes on the largest picture that may be uploaded', async () => {
  const api = await startLoopbackServer(({ body }, res) => res.end(String(body.length)))
  const response = await fetch(await startNginx([api.origin]), {
    method: 'POST',
    body: new Uint8Array(MAX_IMAGE_BYTES),
  })
  expect(await response.text()).toBe(String(MAX_IMAGE_BYTES))
})

it.skipIf(isMissing('nginx'))(
  'nginx keeps the paths for operators from visitors, also with a slash at the end',
  async () => {
    const api = await startLoopbackServer((_, res) => res.end())
    const url = await startNginx([api.origin])
    for (const name of ['healthz', 'readyz', 'metrics'])
      for (const path of [`/${name}`, `/${name}/`, `/${name}/?a=b`])
        expect((await fetch(url + path)).status, path).toBe(404)
  },
)

it.skipIf(isMissing('podman-compose'))('podman-compose merges the overlay for Citus into docker-compose.yml', () => {
  const secrets = { POSTGRES_PASSWORD: 'x'.repeat(16), APP_SECRET: 'x'.repeat(32) }
  const files = ['--file', '../docker-compose.yml', '--file', 'citus/compose.yml']
  const env = { ...process.env, ...secrets }
  const printed = execFileSync('podman-compose', [...files, 'config'], { cwd: OPS, env, encoding: 'utf8' })
  const { services } = parse(printed, { merge: true }) as {
    services: Record<string, { image: string; volumes: string[] }>
  }
  expect(services.postgres?.image).toBe(services['citus-node-1']?.image)
  expect(services.postgres?.volumes).toEqual(['citus-coordinator:/var/lib/postgresql/data'])
  expect(services.api).toBeDefined()
})

it('bash parses the rolling update script', () => {
  expect(() => run('bash', '-n', 'rolling-update.sh')).not.toThrow()
})

it.skipIf(isMissing('kustomize', 'kubernetes-validate')).each(['base', 'cloudnative-pg'])(
  'kustomize builds kubernetes/%s, and its resources match the schemas of Kubernetes',
  (folder) => {
    const built = path.join(temporaryFolder(), 'built.yaml')
    fs.writeFileSync(built, run('kustomize', 'build', `kubernetes/${folder}`))
    expect(() => run('kubernetes-validate', '--strict', '--quiet', '--no-warn', built)).not.toThrow()
  },
)

it.skipIf(isMissing('systemd-analyze')).each(['api', 'worker'])(
  'the unit of the %s leaves little to attack',
  (name) => {
    const unit = `systemd/server-directory-${name}.service`
    // In tenths, on a scale to 10.
    expect(() => run('systemd-analyze', 'security', '--offline=true', '--threshold=30', unit)).not.toThrow()
  },
)

it.skipIf(isMissing('hadolint'))('hadolint has nothing to say about the Dockerfile', () => {
  expect(run('hadolint', '../Dockerfile')).toBe('')
})

it.skipIf(isMissing('actionlint'))('actionlint accepts the workflows', () => {
  expect(run('actionlint', ...['ci', 'nightly', 'release'].map((name) => `../.github/workflows/${name}.yml`))).toBe('')
})
