// The launcher's output: each process' lines behind its name, JSON lines made readable when a person reads along.
import { styleText } from 'node:util'

export type Print = (name: string, line: string) => void

const COLOURS: Record<string, 'red' | 'yellow' | 'green' | 'gray'> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  info: 'green',
}
const NAME_WIDTH = 'database'.length

/** @param readable true on a terminal; otherwise lines pass as they are, for programs that collect them */
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

/** One pino line as `12:00:00 INFO  message  field=value`, an error's stack below it; any other line as it is. */
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
