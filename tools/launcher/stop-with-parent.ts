// Preloaded (`--import`) into every process the launcher starts: when the launcher is gone, however it ended, the process stops as on SIGTERM.

// Longer than a process takes to drain, so that this is only for one that hangs.
const PATIENCE_MS = 35_000

process.once('disconnect', () => {
  // With the launcher went the reader of the log, and what a log holds back at the exit would be written to the closed pipe
  // again and again, for ever (sonic-boom's flushSync). This listener comes before the log's: all else is done by then.
  process.prependListener('exit', () => process.kill(process.pid, 'SIGKILL'))
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref() // the channel alone must not keep a process alive that has finished
