// The launcher's output: each process' lines with its name, and JSON lines in readable form on a terminal.
import { styleText } from 'node:util'

export type Print = (name: string, line: string) => void

const COLOURS: Record<string, 'red' | 'yellow' | 'green' | 'gray'> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  info: 'green',
}
const NAME_WIDTH = 'database'.length

/** @param readable true on a terminal; otherwise lines pass unchanged, for log collectors */
export function createPrinter(write: (text: string) => void, readable: boolean): Print {
  return (name, line) => {
    const prefix = `${name.padEnd(NAME_WIDTH)} │ `
    const text = readable ? renderLine(line) : line
    write(
      text
        .split('\n')
        .map((part) => `${prefix}${part}\n`)
        .join(''),
    )
  }
}

/**
 * Formats a pino line as `12:00:00 INFO  message  field=value` with an error's stack below; other lines pass unchanged.
 */
export function renderLine(line: string): string {
  const entry = parseEntry(line)
  if (!entry) return line
  const { time, level, msg, process: _process, pid: _pid, hostname: _hostname, err, ...fields } = entry
  const label = String(level)
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const head = [
    String(time).slice(11, 19),
    styleText(COLOURS[label] ?? 'gray', label.toUpperCase().padEnd(5)),
    String(msg ?? ''),
    ...(shown.length ? [styleText('gray', shown.join(' '))] : []),
  ].join(' ')
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string }
  return err ? `${head}\n${stack ?? message ?? JSON.stringify(err)}` : head
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const entry = JSON.parse(line) as Record<string, unknown>
    return typeof entry.level === 'string' && typeof entry.time === 'string' ? entry : undefined
  } catch {
    return undefined
  }
}
