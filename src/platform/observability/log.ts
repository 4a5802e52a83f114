// Structured logs: one JSON line each, on standard output. They never contain a secret or a client's address.
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** @param process the process that writes: `api`, `worker`, a tool's name */
export function createLog(process: string, level: string): Log {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: tellable },
    },
    createOutput(),
  )
}

/** Fields by which libraries classify their errors. */
const CLASSIFYING_FIELDS = ['code', 'syscall', 'status', 'reason', 'constraint', 'table', 'column'] as const

/**
 * Errors carry private data: PostgreSQL's the rejected row (`detail`), Redis' the command with the password in it, HTTP
 * clients' whole requests. So only an error's message, stack and classifying fields are logged.
 */
function tellable(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error) // message and stack include those of its causes
  const marks = CLASSIFYING_FIELDS.flatMap((name) => {
    const value = (error as { [Name in typeof name]?: unknown })[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  const errors = error instanceof AggregateError ? { errors: error.errors.map(tellable) } : {}
  return { type, message, stack, ...Object.fromEntries(marks), ...errors }
}

const BATCH_CHARACTERS = 32_768
const BATCH_MS = 100

/**
 * Writes lines to standard output in batches: a write per request would cost more than the request. Pino's own buffer
 * measures its whole content with each line (0.6 instead of 0.4 of a bare server's requests/s without it), so lines are
 * joined here.
 */
function createOutput(): DestinationStream & { flush(done?: (error?: Error) => void): void } {
  let batch = ''
  let timer: NodeJS.Timeout | undefined
  const drain = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = batch
    batch = ''
    if (lines) output.write(lines)
  }
  // Before pino's own listeners, which write what it holds by then.
  process.on('beforeExit', drain)
  process.on('exit', drain)
  const output = pino.destination({ fd: 1, sync: false, minLength: 0 })
  return {
    write(line) {
      batch += line
      if (batch.length >= BATCH_CHARACTERS) drain()
      else timer ??= setTimeout(drain, BATCH_MS).unref()
    },
    flush(done) {
      drain()
      output.flush(done)
    },
  }
}
