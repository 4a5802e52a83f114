// The API process: opens the features, builds the app and listens.
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { openFeatures } from './features.ts'
import { startHealthServer } from './platform/http/health.ts'
import { connectionsPerClient } from './platform/http/http-app.ts'
import { startServer } from './platform/http/server.ts'
import { traceRequests } from './platform/http/traced-requests.ts'
import { FINISH_TIMEOUT_MS } from './platform/processes/stop.ts'
import { openJobs } from './platform/queue/jobs.ts'
import type { ProcessWork } from './process.ts'

export const api: ProcessWork = {
  openQueue: openJobs,
  async start(deps, opened) {
    const { log, settings, tracing, primary } = deps
    const features = await openFeatures(deps)
    opened.push(features.stop)
    const app = createApp(deps, features)
    const { HOST: host, OPERATOR_PORT: operatorPort } = settings
    if (operatorPort !== undefined) {
      const operators = await startHealthServer({ host, port: operatorPort, checks: app.checks, log, primary })
      opened.push(operators.stop) // after the API has drained, so that /readyz answers 503 until then
    }
    const handler = tracing ? traceRequests(tracing, app.handler) : app.handler
    const server = await startServer(
      { ...app, handler },
      {
        log,
        host,
        port: settings.PORT,
        connectionsPerAddress: connectionsPerClient(settings),
      },
    )
    opened.push(
      () => server.stop(FINISH_TIMEOUT_MS),
      () => sleep(settings.DRAIN_SECONDS * 1_000), // keeps listening, so that balancers see the 503 of /readyz before a refused connection
      async () => app.drain(),
    )
    return server.port
  },
}
