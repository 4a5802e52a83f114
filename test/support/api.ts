// Runs the whole API in the test's process on a free port and checks every response against its OpenAPI document.
import { type App, createApp } from '../../src/app.ts'
import { type Clock, type Deps, openDeps } from '../../src/deps.ts'
import type { Directory } from '../../src/features/directory/index.ts'
import { openFeatures } from '../../src/features.ts'
import { readSettings, requireProcessSettings } from '../../src/platform/config/settings.ts'
import type { LoadBounds } from '../../src/platform/http/client-load.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { type HttpServer, type ServerOptions, startServer } from '../../src/platform/http/server.ts'
import type { Log } from '../../src/platform/observability/log.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { atFileEnd } from './at-file-end.ts'
import { type ApiDocument, type Contract, createContract } from './contract.ts'
import { createTestDatabase, type TestDatabase, testLog } from './database.ts'

export const TEST_SECRET = 'a secret of the tests, 32 characters and more'

export interface TestApiOptions {
  /** A new database unless given. */
  database?: TestDatabase
  /** Environment variables. Request limits are off unless set. */
  settings?: Record<string, string>
  /** Extra endpoints of the test, beside the features'. */
  routes?: Operation[]
  server?: Partial<ServerOptions>
  /** Limits on what one client and the process may hold; production's unless given. */
  loadBounds?: Partial<LoadBounds>
  log?: Log
  /** The process' clock; the real clock unless given. */
  clock?: Clock
}

export interface TestApi {
  url: string
  database: TestDatabase
  deps: Deps
  directory: Directory
  app: App
  server: HttpServer
  contract: Contract
  /**
   * `fetch` with a path below the API's address. Reads the body before it resolves.
   * @throws Error when the response differs from the OpenAPI document
   */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Stops the API. Runs after the file's tests unless called before. */
  stop(): Promise<void>
}

export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await createTestDatabase())
  const settings = requireProcessSettings(
    readSettings({
      NODE_ENV: 'test',
      ALLOW_HTTP: 'true', // needed when a test sets NODE_ENV to production
      PORT: '0',
      DATABASE_URL: database.url,
      APP_SECRET: TEST_SECRET,
      RATE_LIMIT_IP_PER_MINUTE: '0',
      RATE_LIMIT_IP_PER_HOUR: '0',
      CONNECTIONS_PER_ADDRESS: '0',
      LISTINGS_PER_ACCOUNT: '0',
      ...options.settings,
    }),
  )
  const opened = await openDeps('api', settings, options.log ?? testLog, openJobs)
  const deps = { ...opened, clock: options.clock ?? opened.clock }
  const features = await openFeatures(deps)
  const app = createApp(deps, features, options.routes, options.loadBounds)
  const server = await startServer(app, { log: deps.log, host: '127.0.0.1', port: 0, ...options.server })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      app.drain()
      await server.stop(1_000)
      await features.stop()
      await deps.jobs.stop()
      if (!deps.pool.ended) await deps.pool.end()
    })()
    return stopped
  }
  atFileEnd(stop)

  const url = `http://127.0.0.1:${server.port}`
  let known: Contract | undefined
  const contract = () => {
    known ??= contractOf(app, options)
    return known
  }
  return {
    url,
    database,
    deps,
    directory: features.directory,
    app,
    server,
    get contract() {
      return contract()
    },
    request: checkedFetch(url, contract),
    stop,
  }
}

/** By the settings that decide the document: making it takes longer than starting the API. */
const contracts = new Map<string, Contract>()

function contractOf(app: App, { settings, routes }: TestApiOptions): Contract {
  if (routes) return createContract(app.describe() as ApiDocument)
  const key = JSON.stringify(settings ?? {})
  const contract = contracts.get(key) ?? createContract(app.describe() as ApiDocument)
  contracts.set(key, contract)
  return contract
}

function checkedFetch(url: string, contract: () => Contract): TestApi['request'] {
  return async (path, init = {}) => {
    const response = await fetch(url + path, init)
    const body = await response.text()
    const { status, statusText, headers } = response
    contract().check({ method: init.method?.toUpperCase() ?? 'GET', target: path, status, headers, body })
    return new Response(status === 204 || status === 304 ? null : body, { status, statusText, headers })
  }
}
