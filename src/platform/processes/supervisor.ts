// Keeps one child process running: starts it, waits until it is ready, restarts it with backoff, and stops it in time.
import type { ChildProcess } from 'node:child_process'
import { on } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPeerMessage } from './peer.ts'

export interface ProcessPlan {
  name: string
  /** Starts the process with an IPC channel. */
  start(): ChildProcess
  /**
   * A URL that answers 200 once the process is ready, or a function for the message that the process sends then.
   * The URL is requested only after the process reports that it listens: before, another program may answer there.
   */
  ready: string | ((message: unknown) => Promise<void>)
  /** Restarts it also when its first run fails. */
  persistent?: boolean
}

/** A process that has run for `healthyMs` counts as healthy: its next restart waits `firstMs` again. */
const BACKOFF = { firstMs: 1_000, maxMs: 30_000, healthyMs: 60_000 }
export type Backoff = typeof BACKOFF

export type SupervisedProcess = ReturnType<typeof supervise>

/** A process that exited in its first run without being stopped: a restart would not help. */
export class StartError extends Error {
  override name = 'StartError'
}

export interface SuperviseOptions {
  /** Gets every line of its output, unless the process has inherited ours. */
  print?: (name: string, line: string) => void
  /** Gets one line for each unexpected end and each recovery. */
  report: (line: string) => void
  backoff?: Backoff | undefined
}

/** Starts the process and restarts it until `stop` is called. */
export function supervise(plan: ProcessPlan, { print = () => {}, report, backoff = BACKOFF }: SuperviseOptions) {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let wasReady = false
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {}) // callers that await it get the error; it must not be unhandled

  async function keepRunning(): Promise<void> {
    let waitMs = backoff.firstMs
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const running = watch(plan, print)
      child = running.child
      const ended = new AbortController()
      void untilReady(plan, running.child, ended.signal).then(
        () => {
          if (wasReady) report(`${plan.name} is ready again`)
          wasReady = true
          ready.resolve()
        },
        (error) => {
          if (!ended.signal.aborted) ready.reject(error) // the handler of its message failed
        },
      )
      const { code, signal } = await running.exit
      ended.abort()
      child = undefined
      if (stopping.signal.aborted) break
      const how = signal ?? `exit code ${code}`
      if (!wasReady && code && !plan.persistent) {
        ready.reject(new StartError(`${plan.name} could not start: ${reasonOf(running.errorLines) ?? how}`))
        return
      }
      if (performance.now() - startedAt >= backoff.healthyMs) waitMs = backoff.firstMs
      report(`${plan.name} ended unexpectedly (${how}); restarting it in ${waitMs / 1_000} s`)
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      waitMs = Math.min(waitMs * 2, backoff.maxMs)
    }
    ready.reject(new StartError(`${plan.name} was stopped before it was ready`))
  }

  const finished = keepRunning()
  return {
    name: plan.name,
    /** Id of the running process; undefined between runs. */
    get pid() {
      return child?.pid
    },
    /** Resolves when the process is ready for the first time. @throws StartError if its first run fails */
    ready: ready.promise,
    /** SIGTERM, then SIGKILL after `graceMs`. A second call may shorten the time. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort()
      child?.kill('SIGTERM')
      const late = setTimeout(() => {
        report(`${plan.name} did not stop within ${graceMs / 1_000} s and is killed`)
        child?.kill('SIGKILL')
      }, graceMs)
      await finished
      clearTimeout(late)
    },
  }
}

function watch(plan: ProcessPlan, print: NonNullable<SuperviseOptions['print']>) {
  const child = plan.start()
  /** The last lines of its standard error. */
  const errorLines: string[] = []
  const { stdout, stderr } = child
  if (stdout) createInterface(stdout).on('line', (line) => print(plan.name, line))
  if (stderr)
    createInterface(stderr).on('line', (line) => {
      errorLines.push(line)
      if (errorLines.length > 50) errorLines.shift()
      print(plan.name, line)
    })
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal })) // `close`, not `exit`: all its output has been read
    child.on('error', (error) => {
      errorLines.push(error.message)
      if (child.pid === undefined) resolve({ code: 1, signal: null })
    })
  })
  return { child, exit, errorLines }
}

async function untilReady({ ready }: ProcessPlan, child: ChildProcess, ended: AbortSignal): Promise<void> {
  const message = await firstMessage(child, ended)
  if (typeof ready !== 'string') return await ready(message)
  for (;;) {
    ended.throwIfAborted()
    const answer = await fetch(ready, { signal: AbortSignal.any([ended, AbortSignal.timeout(2_000)]) }).catch(
      () => undefined,
    )
    await answer?.body?.cancel()
    if (answer?.ok) return
    await sleep(200, undefined, { signal: ended })
  }
}

/** The first that is neither a question nor an answer: a process may ask before it is ready. */
async function firstMessage(child: ChildProcess, signal: AbortSignal): Promise<unknown> {
  for await (const [message] of on(child, 'message', { signal })) if (!isPeerMessage(message)) return message
}

/** The line that says why a start failed: the process' own message, or that of an uncaught error. */
function reasonOf(errorLines: string[]): string | undefined {
  const candidates = errorLines.filter((line) => line.trim() && !/^(Node\.js v|\s+at )/.test(line))
  return candidates.find((line) => /^\w*Error( \[\w+\])?: /.test(line)) ?? candidates.at(-1)
}
