// Structured logs: one JSON line each, on standard output. Never a secret, never a visitor's address in clear.
import { type Logger, pino } from 'pino'

export type Log = Logger

/** @param process which process writes: `api`, `worker`, a tool's name */
export function createLog(process: string, level: string): Log {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Buffered: a write a request would cost more than the request. Flushed each second and at exit.
    pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1000 }),
  )
}
