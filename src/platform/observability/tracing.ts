// Traces of requests, jobs and webhook attempts (docs/decisions/0038). Off, with the SDK not loaded,
// without a collector.
import type { ProcessSettings } from '../config/settings.ts'
import type { Log } from './log.ts'
import type { Tracing } from './tracing-sdk.ts'

export type { SpanAttributes, Tracing } from './tracing-sdk.ts'

/** @returns undefined unless OTEL_EXPORTER_OTLP_ENDPOINT is set */
export async function openTracing(
  role: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio }: ProcessSettings,
  log: Log,
): Promise<Tracing | undefined> {
  if (!endpoint) return undefined
  const { startTracing } = await import('./tracing-sdk.ts')
  return startTracing({ service: `server-directory-${role}`, url: `${endpoint}/v1/traces`, ratio, log })
}
