// One log line per request, written by hand in pino's format: pino takes five times as long, a tenth of a list page's
// cost.
import { pino } from 'pino'
import type { Log } from '../../observability/log.ts'

export interface AccessLine {
  requestId: string
  /** Keyed hash of the client's address. */
  client: string
  method: string
  /** Declared path; the requested path if none matched. */
  route: string
  status: number
  ms: number
  /** Size of the body, before compression. */
  bytes: number
  message: 'request handled' | 'request aborted by the client'
}

/**
 * @returns a function that writes a line at level `info` with the log's bindings; it does nothing if the log's level is
 * higher
 */
export function createAccessLog(log: Log): (line: AccessLine) => void {
  const { [pino.symbols.streamSym]: output, [pino.symbols.chindingsSym]: bindings } = log as unknown as {
    [pino.symbols.streamSym]: { write(line: string): void }
    [pino.symbols.chindingsSym]: string
  }
  if (!log.isLevelEnabled('info')) return () => {}
  // Joined, not concatenated: writing needs a flat string, and flattening would cost as much as all the rest.
  return (line) =>
    output.write(
      [
        '{"level":"info","time":"',
        isoTime(),
        '"',
        bindings,
        ',"requestId":"',
        line.requestId, // harmless characters only, see context.ts
        '","client":"',
        line.client,
        '","method":"',
        line.method,
        '","route":',
        JSON.stringify(line.route),
        ',"status":',
        line.status,
        ',"ms":',
        Math.round(line.ms * 100) / 100,
        ',"bytes":',
        line.bytes,
        ',"msg":"',
        line.message,
        '"}\n',
      ].join(''),
    )
}

let renderedMs = 0
let rendered = ''

/** Rendered once per millisecond: under load many lines share one. */
function isoTime(): string {
  const ms = Date.now()
  if (ms !== renderedMs) {
    renderedMs = ms
    rendered = new Date(ms).toISOString()
  }
  return rendered
}
