// Traces through the OpenTelemetry SDK, sent to a collector as OTLP/HTTP in JSON. Loaded only when traces are on.
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import pTimeout from 'p-timeout'
import type { Log } from './log.ts'

export type SpanAttributes = Record<string, string | number | undefined>

interface NewSpan {
  name: string
  /** `server`: a request; `consumer`: a job; `client`: a request to another service. */
  kind: 'server' | 'consumer' | 'client'
  /** W3C trace context of the span that caused it; undefined begins a trace. */
  parent: string | null | undefined
  attributes?: SpanAttributes
}

export type Tracing = ReturnType<typeof startTracing>

const STOP_MS = 3_000
const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT }

/** @param options.ratio share of traces that are recorded; the first span of a trace decides for all of its spans */
export function startTracing(options: { service: string; url: string; ratio: number; log: Log }) {
  const { service, url, ratio, log } = options
  const fail = (message: string) => log.warn({ reason: message }, 'traces not sent')
  const ignore = () => undefined
  diag.setLogger({ error: fail, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }), scheduledDelayMillis: 1_000 })],
  })
  const tracer = provider.getTracer('server-directory')

  return {
    start({ name, kind, parent, attributes = {} }: NewSpan) {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parentContext(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        /** W3C trace context, which makes it the parent of another span. */
        traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
        end(outcome: { name?: string; hasFailed: boolean; attributes?: SpanAttributes }): void {
          if (outcome.name !== undefined) span.updateName(outcome.name)
          if (outcome.attributes) span.setAttributes(outcome.attributes)
          if (outcome.hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    /** Sends what is left, for at most 3 s. */
    stop: () =>
      pTimeout(provider.shutdown(), { milliseconds: STOP_MS, fallback: () => fail('the collector does not answer') }),
  }
}

/** Reads what `start` has written: `00-<trace id>-<span id>-<flags>`. */
function parentContext(traceparent: string | null | undefined): Context {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (!traceId || !spanId) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true })
}
