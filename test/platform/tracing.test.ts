// Traces without a collector: off, or reported as lost.
import { expect, it } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { readSettings, requireProcessSettings } from '../../src/platform/config/settings.ts'
import type { Log } from '../../src/platform/observability/log.ts'
import { openTracing } from '../../src/platform/observability/tracing.ts'
import { TEST_SECRET } from '../support/api.ts'
import { testLog } from '../support/database.ts'

const settingsWith = (given: Record<string, string>) =>
  requireProcessSettings(readSettings({ DATABASE_URL: 'postgres://localhost/none', APP_SECRET: TEST_SECRET, ...given }))

it('is off unless a collector is set', async () => {
  expect(await openTracing('api', settingsWith({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }), testLog)).toBeUndefined()
})

it('a collector that does not answer is reported, and does not hold up the stop', async () => {
  const reported: unknown[] = []
  const log = { warn: (_fields: object, message: string) => reported.push(message) } as unknown as Log
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const tracing = await openTracing('api', settingsWith({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }), log)
  tracing?.start({ name: 'lost', kind: 'server', parent: undefined }).end({ hasFailed: false })
  await tracing?.stop().catch(() => undefined)
  expect(reported).toContain('traces not sent')
})

it('the first span of a trace decides whether its spans are recorded', async () => {
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_SAMPLER_ARG: '0' }
  const tracing = await openTracing('api', settingsWith(given), testLog)
  const request = tracing?.start({ name: 'request', kind: 'server', parent: undefined })
  const job = tracing?.start({ name: 'job', kind: 'consumer', parent: request?.traceparent })
  expect(request?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  expect(job?.traceparent.split('-')[1]).toBe(request?.traceparent.split('-')[1])
  expect(job?.traceparent).toMatch(/-00$/)
  await tracing?.stop()
})
