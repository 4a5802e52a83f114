// /healthz, /readyz and /metrics, in the API and in each worker.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import pTimeout from 'p-timeout'
import * as z from 'zod'
import type { Pool } from '../db/pool.ts'
import type { Log } from '../observability/log.ts'
import { registry } from '../observability/metrics.ts'
import { METRICS_TIMEOUT_MS, type Peer } from '../processes/peer.ts'
import type { Jobs } from '../queue/jobs.ts'
import { createServer } from './node-http.ts'

export interface ReadinessCheck {
  name: string
  /** @returns why it is not ready, in words safe to publish; undefined if it is ready */
  check(): Promise<string | undefined> | string | undefined
  /** Reported, but the process counts as ready without it. */
  optional?: boolean
}

export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health', description: 'The process is alive' })
export const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(
      z.object({
        name: z.string(),
        ready: z.boolean(),
        reason: z.string().describe('Why it is not ready; empty if it is'),
      }),
    ),
  })
  .meta({
    id: 'Readiness',
    description:
      'Whether the process can do its work, and which parts can’t. An API process without `billing` is ready, and so is one without `database` and `queue` until `directory` is too old',
  })

export interface HealthReply {
  status: number
  contentType: string
  body: string
}

const HEALTH_PATHS = ['/healthz', '/readyz', '/metrics'] as const
export type HealthPath = (typeof HEALTH_PATHS)[number]
export const isHealthPath = (path: string): path is HealthPath => HEALTH_PATHS.some((one) => one === path)

/** Longer than any check should take, shorter than a load balancer's timeout. */
const CHECK_TIMEOUT_MS = 2_000

interface HealthOptions {
  checks: ReadinessCheck[]
  /** Gets what a check threw; clients only see that it failed. */
  log: Log
  /** The primary of several processes on one port, which are ready when one is, and whose metrics are read together. */
  primary?: Peer | undefined
  timeoutMs?: number
}

/** @returns the answer of each path */
export function createHealth({ checks, log, primary, timeoutMs = CHECK_TIMEOUT_MS }: HealthOptions) {
  async function readiness(): Promise<HealthReply> {
    const results = await Promise.all(checks.map((check) => runCheck(check, timeoutMs, log)))
    const ready = results.every((result, n) => result.ready || checks[n]?.optional)
    return json(ready ? 200 : 503, { ready, checks: results } satisfies z.input<typeof Readiness>)
  }
  if (primary)
    Object.assign(primary.answers, {
      readiness,
      metrics: async () => (await registry.getMetricsAsJSON()).map((metric) => ({ ...metric, aggregator: 'sum' })),
    })
  return {
    '/healthz': async () => json(200, { status: 'ok' } satisfies z.input<typeof Health>),
    '/readyz': shared(async () => {
      const own = await readiness()
      if (own.status === 200 || !primary) return own
      return await primary.ask<HealthReply>('readiness').catch(() => own)
    }),
    '/metrics': shared(async () => ({
      status: 200,
      contentType: registry.contentType,
      body: await (primary
        ? primary.ask<string>('metrics', undefined, METRICS_TIMEOUT_MS.primary)
        : registry.metrics()),
    })),
  }
}

/**
 * All requests that arrive while a reply is made share it: these paths have no request limit and must not load the
 * database.
 */
function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined
  return () => {
    making ??= make().finally(() => {
      making = undefined
    })
    return making
  }
}

const json = (status: number, value: object): HealthReply => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

async function runCheck({ name, check }: ReadinessCheck, milliseconds: number, log: Log) {
  const answer = Promise.try(check).catch((err: unknown) => {
    log.warn({ err, check: name }, 'readiness check failed')
    return 'failed'
  })
  const reason = (await pTimeout(answer, { milliseconds, fallback: () => `no answer within ${milliseconds} ms` })) ?? ''
  return { name, ready: reason === '', reason }
}

export const databaseCheck = (pool: Pool): ReadinessCheck => ({
  name: 'database',
  async check() {
    await pool.query('select 1')
    return undefined
  },
})

/** Whether jobs can be enqueued: pg-boss has its own connections. */
export const queueCheck = (jobs: Pick<Jobs, 'boss'>): ReadinessCheck => ({
  name: 'queue',
  check: async () => ((await jobs.boss.isInstalled()) ? undefined : 'not installed: run `npm run migrate`'),
})

/** A server with only these three paths, for a process without an API. */
export async function startHealthServer(options: HealthOptions & { host: string; port: number }) {
  const health = createHealth(options)
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, async (req, res) => {
    const path = req.url?.split('?', 1)[0] ?? ''
    const answer = Object.hasOwn(health, path) ? health[path as HealthPath] : undefined
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    try {
      const reply =
        answer && isRead ? await answer() : json(answer ? 405 : 404, answer ? METHOD_NOT_ALLOWED : NOT_FOUND)
      res.writeHead(reply.status, {
        'Content-Type': reply.contentType,
        'Cache-Control': 'no-store',
        ...(reply.status === 405 ? { Allow: 'GET, HEAD' } : {}),
      })
      res.end(req.method === 'HEAD' ? undefined : reply.body)
    } catch (err) {
      options.log.error({ err }, 'health request failed')
      res.writeHead(500).end()
    }
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  server.on('error', (err) => options.log.error({ err }, 'a connection can’t be accepted'))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const METHOD_NOT_ALLOWED = { error: 'method_not_allowed', message: 'Only GET and HEAD are allowed on this path.' }
const NOT_FOUND = { error: 'not_found', message: 'This port only serves /healthz, /readyz and /metrics.' }
