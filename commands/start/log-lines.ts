// The launcher's output: each process' lines with its name, in words for people and as JSON for log collectors.
import { createLineRenderer, type LogStyle } from '../../src/platform/observability/log.ts'

export type Print = (name: string, line: string) => void

const NAME_WIDTH = 'database'.length

/** @param format `json`: objects, which have the name of their process in them, pass unchanged */
export function createPrinter(write: (text: string) => void, format: LogStyle['format']): Print {
  const render = format === 'pretty' ? createLineRenderer() : undefined
  return (name, line) => {
    if (!render && line.startsWith('{')) return write(`${line}\n`)
    const prefix = `${name.padEnd(NAME_WIDTH)} │ `
    const text = render ? render(line).trimEnd() : line
    write(
      text
        .split('\n')
        .map((part) => `${prefix}${part}\n`)
        .join(''),
    )
  }
}
