// Preloaded (`--import`) into every process of the launcher: stops the process, as on SIGTERM, when the launcher has
// ended.
import { KILL_SECONDS } from '../../src/platform/processes/stop.ts'

/** When the launcher would kill the process. It sets DRAIN_SECONDS for each of its processes. */
const KILL_MS = (Number(process.env.DRAIN_SECONDS ?? 0) + KILL_SECONDS.launcher) * 1_000

process.once('disconnect', () => {
  // The log's reader ended with the launcher, and at the exit the log would retry to flush to the closed pipe forever
  // (sonic-boom's flushSync). This listener runs before the log's, after everything else is done.
  process.prependListener('exit', () => process.kill(process.pid, 'SIGKILL'))
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_MS).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref() // the channel must not keep a finished process alive
