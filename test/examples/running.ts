// Runs an example as a process that ends with the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { NODE_ARGS } from '../support/node.ts'

export interface RunningExample {
  child: ChildProcess
  /** Lines of standard output so far. */
  lines(): string[]
  /** All output, of both streams. */
  output(): string
  ended: Promise<number | null>
}

export function runExample(script: string, args: string[], env: Record<string, string> = {}): RunningExample {
  const child = spawn(process.execPath, [...NODE_ARGS, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, lines: () => output.split('\n').filter(Boolean), output: () => output, ended }
}
