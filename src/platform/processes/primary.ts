// Several processes of one kind on one port (docs/decisions/0037): starts them, replaces one that ended, restarts them
// one by one on SIGHUP, and answers what they ask.
import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import type { Log } from '../observability/log.ts'
import { connectPeer, METRICS_TIMEOUT_MS, type Peer, type PeerAnswers } from './peer.ts'
import { type SupervisedProcess, supervise } from './supervisor.ts'

/**
 * A process that does not answer two pings in a row is killed: at most 30 s after it began to hang. One may be late
 * because the whole machine was paused.
 */
const PING = { everyMs: 5_000, timeoutMs: 10_000 }

/**
 * Resolves when the first process is ready.
 * @param options.count processes to run, at least 2
 * @param options.graceMs how long a process may take to stop before it is killed
 * @param options.answers what it answers its processes, besides their readiness and metrics
 * @throws StartError if it can't start
 */
export async function startPrimary(options: {
  role: string
  count: number
  graceMs: number
  log: Log
  answers: PeerAnswers
}) {
  const { role, count, graceMs, log } = options
  /** All that run, also those that a restart replaces. */
  const running = new Set<SupervisedProcess>()
  const current = new Map<string, SupervisedProcess>()
  /** The processes that listen, by name. */
  const listening = new Map<string, Peer>()
  let stopping = false

  const askAll = <Reply>(question: string, timeoutMs?: number) =>
    [...listening.values()].map((peer) => peer.ask<Reply>(question, undefined, timeoutMs))
  const answers: PeerAnswers = {
    ...options.answers,
    // Each series carries the name of its process: a sum would fall when one of them is replaced.
    async metrics() {
      const replies = await Promise.allSettled(askAll<object>('metrics', METRICS_TIMEOUT_MS.process))
      return AggregatorRegistry.aggregate(
        replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : [])),
      ).metrics()
    },
    readiness: () =>
      Promise.any(
        askAll<{ status: number }>('readiness').map(async (asked) => {
          const reply = await asked
          if (reply.status !== 200) throw new Error('not ready')
          return reply
        }),
      ),
  }

  /** Watches a process until it ends or is replaced. */
  async function killWhenHanging(name: string, peer: Peer, child: ChildProcess): Promise<void> {
    let unanswered = 0
    while (listening.get(name) === peer) {
      await sleep(PING.everyMs, undefined, { ref: false })
      const askedAt = performance.now()
      await peer.ask('ping', undefined, PING.timeoutMs).catch(() => {}) // a process of an earlier release refuses, at once
      unanswered = performance.now() - askedAt < 0.9 * PING.timeoutMs ? 0 : unanswered + 1
      if (unanswered < 2 || listening.get(name) !== peer) continue
      log.error(`${name} hangs and is killed`)
      child.kill('SIGKILL')
    }
  }

  function start(name: string, persistent = false): SupervisedProcess {
    let peer: Peer
    let child: ChildProcess
    const supervised = supervise(
      {
        name,
        persistent,
        start() {
          cluster.setupPrimary({ args: [name] })
          const worker = cluster.fork()
          worker.on('error', () => undefined) // repeats an error of its process, which the supervisor handles
          child = worker.process
          const own = connectPeer(child, answers)
          peer = own
          child.once('exit', () => listening.get(name) === own && listening.delete(name))
          return child
        },
        async ready() {
          listening.set(name, peer)
          void killWhenHanging(name, peer, child)
        },
      },
      { report: (line) => log.warn(line) },
    )
    running.add(supervised)
    return supervised
  }

  async function end(supervised: SupervisedProcess): Promise<void> {
    await supervised.stop(graceMs)
    running.delete(supervised)
  }

  async function restartAll(): Promise<void> {
    log.info(`${role} processes restarting one by one`)
    for (const [name, old] of current) {
      if (stopping) return
      const next = start(name)
      try {
        await next.ready
      } catch (err) {
        if (stopping) return
        log.error({ err }, `${name} can’t be restarted: the previous one continues`)
        return await end(next)
      }
      current.set(name, next)
      await end(old)
    }
    log.info(`${role} processes restarted`)
  }

  const names = Array.from({ length: count }, (_, n) => `${role} ${n + 1}`)
  // The first one alone, so that what prevents a start is reported once.
  for (const [n, name] of names.entries()) {
    const first = start(name, n > 0)
    current.set(name, first)
    if (n === 0) await first.ready
  }
  let restarting = Promise.resolve()
  return {
    /** Restarts the processes one by one; each new one is ready before the old one stops. */
    restart(): Promise<void> {
      restarting = restarting.then(restartAll)
      return restarting
    },
    async stop(): Promise<void> {
      stopping = true
      await Promise.all([...running].map(end))
    },
  }
}
