// How a process is stopped: how long that takes at most, and which signals ask for it.
import os from 'node:os'

/** Time limit for a process to end after a stop signal, `DRAIN_SECONDS` excluded. */
export const STOP_SECONDS = 30
/** How long running requests and jobs get of it; the rest is for closing what the process has opened. */
export const FINISH_TIMEOUT_MS = (STOP_SECONDS - 5) * 1_000
/**
 * Seconds until a parent kills a child that has not stopped, `DRAIN_SECONDS` excluded. Each level waits longer than the
 * level below. `service` is for Compose, Kubernetes and systemd.
 */
export const KILL_SECONDS = { primary: STOP_SECONDS + 2, launcher: STOP_SECONDS + 5, service: STOP_SECONDS + 10 }

/** A signal to a process group arrives more than once, because npm forwards it, and a primary stops its processes. */
const REPEATED_MS = 1_000

/**
 * @param stop called at the first signal
 * @param onSecondSignal called at one that comes more than a second later; ends the process by default
 * @returns the listener of the signals
 */
export function createStopListener(
  stop: (signal: NodeJS.Signals) => void,
  onSecondSignal: () => void = () => process.exit(1),
) {
  let askedAt: number | undefined
  return (signal: NodeJS.Signals): void => {
    if (askedAt === undefined) {
      askedAt = performance.now()
      stop(signal)
    } else if (performance.now() - askedAt > REPEATED_MS) onSecondSignal()
  }
}

/**
 * Ends the process at a stop signal, for a start that nothing has to be undone of. Only as PID 1, as in a container:
 * there a signal without a listener is ignored.
 * @returns a function that removes the listeners
 */
export function endOnSignals(): () => void {
  if (process.pid !== 1) return () => {}
  const end = (signal: NodeJS.Signals) => process.exit(128 + os.constants.signals[signal])
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}
