// The product's processes by name: killed, frozen and restarted on their ports while others are at work.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { type RunningProcess, startProcess } from '../../support/processes.ts'

export interface Members {
  /** Starts all; resolves when they are ready. They end with the test. */
  start(...names: string[]): Promise<void>
  /** Its URL, whether it runs or not. */
  url(name: string): string
  /** The last error in its log. */
  lastError(name: string): string | undefined
  /** `kill -9`, then a new start; resolves when it is ready. */
  kill(name: string): Promise<void>
  /** Stops it, which must happen in time and with code 0. */
  stop(name: string): Promise<void>
  /** Stops it, then starts it. */
  restart(name: string): Promise<void>
  /** Freezes it for this time. */
  freeze(name: string, forMs: number): Promise<void>
  /** Fails when a process ended by itself. */
  expectAllRunning(): void
}

/** @param env for all; a name that begins with `api` is an API process, any other a worker */
export function createMembers(databaseUrl: string, env: Record<string, string> = {}): Members {
  const ports = new Map<string, number>()
  const running = new Map<string, RunningProcess>()

  async function start(name: string): Promise<void> {
    const isApi = name.startsWith('api')
    const port = ports.get(name) ?? (await freePort())
    ports.set(name, port)
    const portSetting = isApi ? 'PORT' : 'WORKER_PORT'
    const script = isApi ? 'src/main.ts' : 'workers/main.ts'
    running.set(name, await startProcess(script, databaseUrl, { ...env, [portSetting]: String(port) }))
  }

  function get(name: string): RunningProcess {
    const member = running.get(name)
    if (!member) throw new Error(`${name} was never started`)
    return member
  }

  async function end(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { child } = get(name)
    expectRunning(name)
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }

  async function stop(name: string): Promise<void> {
    expect(await end(name, 'SIGTERM'), `${name} stops`).toBe(0)
  }

  const expectRunning = (name: string) => expect(get(name).running(), `${name} runs:\n${get(name).output()}`).toBe(true)

  return {
    async start(...names) {
      await Promise.all(names.map(start))
    },
    url: (name) => `http://127.0.0.1:${ports.get(name)}`,
    lastError: (name) =>
      get(name)
        .output()
        .split('\n')
        .findLast((line) => line.includes('"level":"error"')),
    async kill(name) {
      await end(name, 'SIGKILL')
      await start(name)
    },
    stop,
    async restart(name) {
      await stop(name)
      await start(name)
    },
    async freeze(name, forMs) {
      const { child } = get(name)
      child.kill('SIGSTOP')
      await sleep(forMs)
      child.kill('SIGCONT')
    },
    expectAllRunning() {
      for (const name of running.keys()) expectRunning(name)
    },
  }
}
