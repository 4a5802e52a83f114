// Checks the files of ops/ with the programs that read them, where these are installed.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { isMissing } from '../support/installed.ts'

const OPS = path.resolve(import.meta.dirname, '../../ops')
const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: OPS, encoding: 'utf8' })

it.skipIf(isMissing('promtool'))('promtool accepts the configuration of Prometheus and its rules', () => {
  const printed = run('promtool', 'check', 'config', 'prometheus/prometheus.yml')
  expect(printed).toMatch(/SUCCESS: \d{2} rules found/)
  expect(printed).toContain('prometheus.yml is valid prometheus config file syntax')
})

it.skipIf(isMissing('haproxy'))('haproxy accepts its configuration', () => {
  expect(() => run('haproxy', '-c', '-q', '-f', 'haproxy/haproxy.cfg')).not.toThrow()
})

it('bash parses the rolling update script', () => {
  expect(() => run('bash', '-n', 'rolling-update.sh')).not.toThrow()
})
