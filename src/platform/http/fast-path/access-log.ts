// One log line a request, written by hand in pino's shape: made through pino it costs five times as much, a tenth of a list page.
import { pino } from 'pino'
import type { Log } from '../../observability/log.ts'

export interface AccessLine {
  requestId: string
  /** Keyed hash of the address. */
  client: string
  method: string
  /** Declared path, or the path asked for where none matched. */
  route: string
  status: number
  ms: number
  /** Of the body, before compression. */
  bytes: number
  message: 'request handled' | 'request aborted by the client'
}

/** @returns writes a line at level `info` to where the log writes, with the log's own bindings; nothing when the level is above */
export function createAccessLog(log: Log): (line: AccessLine) => void {
  const { [pino.symbols.streamSym]: output, [pino.symbols.chindingsSym]: bindings } = log as unknown as {
    [pino.symbols.streamSym]: { write(line: string): void }
    [pino.symbols.chindingsSym]: string
  }
  if (!log.isLevelEnabled('info')) return () => {}
  // Joined, not concatenated: the line must be flat when it is written, or flattening it costs as much as the rest.
  return (line) =>
    output.write(
      [
        '{"level":"info","time":"',
        isoTime(),
        '"',
        bindings,
        ',"requestId":"',
        line.requestId, // of harmless characters: context.ts
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

/** Rendered once a millisecond: under load many lines share one. */
function isoTime(): string {
  const ms = Date.now()
  if (ms !== renderedMs) {
    renderedMs = ms
    rendered = new Date(ms).toISOString()
  }
  return rendered
}
