// Preloaded (`--import`) into every process of the launcher: stops the process, as on SIGTERM, when the launcher has
// ended.

// Longer than a process takes to drain: only one that hangs is killed.
const PATIENCE_MS = 35_000

process.once('disconnect', () => {
  // The log's reader ended with the launcher, and at the exit the log would retry to flush to the closed pipe forever
  // (sonic-boom's flushSync). This listener runs before the log's, after everything else is done.
  process.prependListener('exit', () => process.kill(process.pid, 'SIGKILL'))
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref() // the channel must not keep a finished process alive
