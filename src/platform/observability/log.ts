// Structured logs: one JSON line each, on standard output, which people can have in words. They never contain a secret
// or a client's address.
import { createRequire } from 'node:module'
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import type PinoPretty from 'pino-pretty'

export type Log = Logger

export interface LogStyle {
  format: 'pretty' | 'json'
  level: string
}

/** People read what needs their attention, log collectors keep the rest too. */
export function logStyleOf(
  { LOG_FORMAT, LOG_LEVEL }: { LOG_FORMAT?: LogStyle['format'] | undefined; LOG_LEVEL?: string | undefined },
  isTerminal = isatty(1),
): LogStyle {
  const format = LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json')
  return { format, level: LOG_LEVEL ?? (format === 'pretty' ? 'warn' : 'info') }
}

/**
 * @param process the process that writes: `api`, `worker`, a tool's name
 * @param style a level: as JSON
 */
export function createLog(process: string, style: string | LogStyle): Log {
  const { level, format } = typeof style === 'string' ? { level: style, format: 'json' } : style
  const output = createOutput()
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    format === 'json' ? output : inWords(output),
  )
}

function inWords(output: ReturnType<typeof createOutput>): ReturnType<typeof createOutput> {
  const render = createLineRenderer()
  return { ...output, write: (line) => output.write(render(line)) }
}

/**
 * Formats a JSON line as `[12:00:01] WARN: message {"field":"value"}` with an error's stack below. Other
 * lines pass unchanged.
 */
export function createLineRenderer(): (line: string) => string {
  // Loaded late, because processes that write JSON do without it.
  const { prettyFactory, isColorSupported } = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
  return prettyFactory({
    colorize: isColorSupported,
    ignore: 'process',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
  })
}

/** Fields by which libraries classify their errors. */
const CLASSIFYING_FIELDS = ['code', 'syscall', 'status', 'reason', 'constraint', 'table', 'column'] as const

/**
 * Errors carry private data: PostgreSQL's the rejected row (`detail`), Redis' the command with the password in it, HTTP
 * clients' whole requests. So only an error's message, stack and classifying fields are logged.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error) // message and stack include those of its causes
  const marks = CLASSIFYING_FIELDS.flatMap((name) => {
    const value = (error as { [Name in typeof name]?: unknown })[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  const errors = error instanceof AggregateError ? { errors: error.errors.map(serializeError) } : {}
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
  // These run before pino's own listeners, which write what it holds by then.
  process.on('beforeExit', drain)
  process.on('exit', drain)
  const output = pino.destination({ fd: 1, sync: false, minLength: 0 })
  // A full disk, or a terminal that was closed, must not end the process: what is not written is tried
  // again with the next line.
  output.on('error', () => undefined)
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
