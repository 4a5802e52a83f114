// How long stopping takes is one number: what starts processes, and what the documents promise, follow from it.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from '../../src/platform/config/settings.ts'
import { FINISH_TIMEOUT_MS, KILL_SECONDS, STOP_SECONDS } from '../../src/platform/processes/stop.ts'

const read = (file: string) => fs.readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8')

it('what starts a process waits longer than it takes, from the inside to the outside', () => {
  const { primary, launcher, service } = KILL_SECONDS
  const times = [FINISH_TIMEOUT_MS / 1_000, STOP_SECONDS, primary, launcher, service]
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
})

it('the rolling update waits as long as Compose', () => {
  const { DRAIN_SECONDS } = readSettings({ NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32) })
  expect(read('ops/rolling-update.sh')).toContain(`docker stop -t ${DRAIN_SECONDS + KILL_SECONDS.service} `)
})

it('documents name that time', () => {
  const operations = read('docs/OPERATIONS.md')
  expect(operations).toContain(`it finishes or returns its jobs within ${STOP_SECONDS} s`)
  expect(operations).toContain(`A process ends ${STOP_SECONDS} s after it has drained at the latest`)
  expect(operations).toContain(`\`DRAIN_SECONDS\` + ${KILL_SECONDS.service} s before you kill it`)
  const decision = read('docs/decisions/0037-several-processes-by-one-command.md')
  expect(decision).toContain(`ends itself ${STOP_SECONDS} s after it has drained`)
  expect(decision).toContain(`kills it after ${KILL_SECONDS.primary} s`)
})
