// Preloaded (`--import`) into every process the launcher starts: when the launcher is gone, however it ended, the process stops as on SIGTERM.

// Longer than a process takes to drain, so that this is only for one that hangs.
const PATIENCE_MS = 35_000

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), PATIENCE_MS).unref()
})
process.channel?.unref() // the channel alone must not keep a process alive that has finished
