// The API process: its rooms, the app over them, and the socket it listens on.
import { createApp } from './app.ts'
import { startServer } from './platform/http/server.ts'
import { openJobs } from './platform/queue/jobs.ts'
import { runProcess } from './process.ts'
import { openRooms } from './rooms.ts'

/** How long requests that are under way may take once the process is asked to stop. */
const GRACE_MS = 25_000

if (import.meta.main)
  await runProcess({
    role: 'api',
    portSetting: 'PORT',
    openQueue: openJobs,
    async start(deps, opened) {
      const { log, settings } = deps
      const rooms = await openRooms(deps)
      opened.push(rooms.stop)
      const app = createApp(deps, rooms)
      const server = await startServer(app, { log, host: settings.HOST, port: settings.PORT })
      opened.push(
        () => server.stop(GRACE_MS),
        async () => app.drain(),
      )
      return server.port
    },
  })
