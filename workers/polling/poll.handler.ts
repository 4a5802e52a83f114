// Polls one batch: loads it, queries its servers, judges the failures, writes the results.

import { usualPort } from '../../src/features/games/index.ts'
import {
  applyResults,
  loadBatch,
  type PollBatch,
  type PollingDeps,
  type PollResult,
  type PollRules,
  type PollTarget,
  type PollWork,
  rescheduleUnpolled,
} from '../../src/features/polling/index.ts'
import { changedProfile, type ServerReport, writeReports } from '../../src/features/profiles/index.ts'
import type { Log } from '../../src/platform/observability/log.ts'
import type { AskEditions } from './editions.ts'
import type { GuardReason, OutageGuard } from './outage-guard.ts'
import { isEvidence, type Miss, type Outcome } from './outcome.ts'
import { batchSeconds, guardTrips, pollsTotal } from './polling.metrics.ts'
import { isRulesPoll } from './world-fingerprint.ts'

export interface PollHandlerDeps extends PollingDeps {
  log: Log
  ask: AskEditions
  guard: OutageGuard
  rules: PollRules
  /** Answers are written this long after the batch started, even if other servers of it are still being queried. */
  flushAfterMs?: number
  /** After the first write, results are written this often, so that slow servers delay only their own results. */
  flushEveryMs?: number
  /** Servers that are still waiting for their query by then are skipped. */
  batchTimeoutMs?: number
  now?: () => number
}

export interface BatchReport {
  servers: number
  answered: number
  failed: number
  /** Discarded failures, and servers that were not queried. */
  postponed: number
}

interface Polled {
  target: PollTarget
  outcome: Outcome
}
interface Missed {
  target: PollTarget
  outcome: Miss
  endedAt: number
}

/** A batch that is being polled. */
interface Run {
  tokens: PollWork['tokens']
  stop: AbortSignal | undefined
  report: BatchReport
  /** Outcomes that are not written yet. `skipped`: servers that were not queried. */
  unwritten: { answered: Polled[]; missed: Missed[]; skipped: Polled[] }
}

/** @param stop aborted when the batch should end soon: servers not queried yet go back to the schedule */
export type PollHandler = (batch: PollBatch, stop?: AbortSignal) => Promise<BatchReport>

/** Evidence from before this is older than any query that could just have failed. */
const MAX_QUERY_MS = 30_000
/**
 * Minimum age of a failure when it is judged: the failures of an outage occur together, and the guard judges by their
 * number.
 */
const MIN_JUDGED_AGE_MS = 2_000

/** Idempotent: a repeated batch finds nothing to do, and one that runs twice concurrently is counted once. */
export function createPollHandler(deps: PollHandlerDeps): PollHandler {
  const {
    pool,
    log,
    ask,
    guard,
    rules,
    flushAfterMs = 1_000,
    flushEveryMs = 5_000,
    batchTimeoutMs = 60_000,
    now = Date.now,
  } = deps

  async function pollOne(target: PollTarget, tokens: readonly string[], signal: AbortSignal): Promise<Outcome> {
    // A fault in one server's query must not cost the results of the batch's others: it is polled again.
    const outcome: Outcome = await ask({ ...target, tokens, readsRules: isRulesPoll(target) }, signal).catch(
      (err: unknown): Outcome => {
        log.error({ err, serverId: target.serverId, game: target.game }, 'server could not be queried')
        return { answered: false, reason: 'fault', askedAt: now() }
      },
    )
    const { serverId, ipAddress: address, isOnline } = target
    if (!isOnline) guard.forget(serverId)
    else if (outcome.answered || mayBeOwnOutage(outcome))
      guard.note({ serverId, address, answered: outcome.answered, at: now() })
    pollsTotal.inc({ outcome: outcome.answered ? 'answered' : outcome.reason })
    if (!outcome.answered && outcome.detail) {
      // Only this one is for the operator to fix; the others are the servers' own and may be many.
      const level = outcome.reason === 'unknown game' ? 'warn' : 'debug'
      log[level]({ serverId, reason: outcome.reason, detail: outcome.detail }, 'server gave no result')
    }
    return outcome
  }

  async function write(polled: Polled[], tokens: PollWork['tokens']): Promise<void> {
    const applied = await applyResults(deps, polled.map(toResult), rules, tokens)
    for (const { serverId, isOnline } of applied) if (!isOnline) guard.forget(serverId)
    const ids = new Set(applied.map(({ serverId }) => serverId))
    const reports = polled.filter(({ target }) => ids.has(target.serverId)).flatMap(reportsOf)
    // The status is written; a profile that can't be must not cost the batch's other servers their results.
    await writeReports(pool, reports).catch((error) => log.error({ err: error }, 'profiles of servers not stored'))
  }

  /** @returns why these failures look like an outage of our own; undefined if they do not */
  function suspicionOf(failures: Missed[]): GuardReason | undefined {
    if (!failures.length) return undefined
    const since = Math.max(Math.min(...failures.map(({ outcome }) => outcome.askedAt)), now() - MAX_QUERY_MS)
    return guard.suspectOutage(since, now())
  }

  /** Separates failures that count from those that are held back, because they say nothing of the server. */
  function judge(missed: Missed[]): { counted: Missed[]; held: Missed[] } {
    const withoutEvidence = missed.filter(({ outcome }) => !isEvidence(outcome))
    const doubtful = missed.filter(({ outcome }) => mayBeOwnOutage(outcome))
    const certain = missed.filter(({ outcome }) => isEvidence(outcome) && !mayBeOwnOutage(outcome))
    const reason = suspicionOf(doubtful)
    if (!reason) return { counted: [...certain, ...doubtful], held: withoutEvidence }
    guardTrips.inc({ reason })
    log.warn({ servers: doubtful.length, reason }, 'failures discarded: they look like an outage of the directory')
    return { counted: certain, held: [...withoutEvidence, ...doubtful] }
  }

  /** Queries the servers of a batch, and collects their outcomes. */
  async function pollAll(targets: PollTarget[], { tokens, unwritten }: Run, signal: AbortSignal): Promise<void> {
    const { answered, missed, skipped } = unwritten
    await Promise.all(
      targets.map(async (target) => {
        const outcome = await pollOne(target, tokens.byServer.get(target.serverId) ?? [], signal)
        if (outcome.answered) answered.push({ target, outcome })
        else if (outcome.reason === 'skipped') skipped.push({ target, outcome })
        else missed.push({ target, outcome, endedAt: now() })
      }),
    )
  }

  /** Writes the outcomes so far. @param endedBefore younger failures wait */
  async function flush({ tokens, unwritten, report, stop }: Run, endedBefore: number): Promise<void> {
    const answered = unwritten.answered.splice(0)
    const skipped = unwritten.skipped.splice(0)
    const missed = unwritten.missed.splice(0)
    unwritten.missed.push(...missed.filter(({ endedAt }) => endedAt > endedBefore))
    const { counted, held } = judge(missed.filter(({ endedAt }) => endedAt <= endedBefore))
    await write([...answered, ...counted], tokens)
    await rescheduleUnpolled(pool, held.filter(isPolledAgainSoon).map(toBatchServer), rules.quickSeconds)
    // After a stop they are due immediately, so another worker polls them.
    await rescheduleUnpolled(pool, skipped.map(toBatchServer), stop?.aborted ? 0 : rules.intervalSeconds)
    report.answered += answered.length
    report.failed += counted.length
    report.postponed += held.length + skipped.length
  }

  return async (batch, stop) => {
    const began = now()
    const { targets, tokens } = await loadBatch(pool, batch)
    const report = { servers: targets.length, answered: 0, failed: 0, postponed: 0 }
    if (!targets.length) return report
    const run: Run = { tokens, stop, report, unwritten: { answered: [], missed: [], skipped: [] } }
    const timeout = AbortSignal.timeout(batchTimeoutMs)
    const all = pollAll(targets, run, stop ? AbortSignal.any([timeout, stop]) : timeout)
    // Fast servers do not wait for slow ones.
    let waitMs = flushAfterMs
    while (await takesLonger(all, waitMs)) {
      await flush(run, now() - MIN_JUDGED_AGE_MS)
      waitMs = flushEveryMs
    }
    await flush(run, Number.POSITIVE_INFINITY)

    const ms = now() - began
    batchSeconds.observe(ms / 1000)
    log.debug({ ...report, ms }, 'batch polled')
    return report
  }
}

/**
 * The others keep the due time that their cycle set: a list that is down is not downloaded earlier, and servers that
 * are unclaimed or known to be down are queried once an interval (docs/SOURCES.md).
 */
const isPolledAgainSoon = ({ target, outcome }: Missed): boolean =>
  target.isOnline && !target.isUnclaimed && outcome.reason !== 'no list'

/** Failures that an outage of this worker's own network would cause too. */
function mayBeOwnOutage({ reason }: Miss): boolean {
  return reason === 'silent' || reason === 'unresolved'
}

/** Minimum length of a listing's name, in characters: an emoji is one. */
const MIN_NAME = 3

/** What to store besides the status; nothing for most polls. */
function reportsOf({ target, outcome }: Polled): ServerReport[] {
  if (!outcome.answered) return []
  const { serverId, cycle, game, gamePort, gamePortGiven, nameFromServer, profile } = target
  const { name = '', ...words } = outcome.profile
  const takesName = nameFromServer && [...name].length >= MIN_NAME
  const changed = changedProfile(profile, takesName ? { ...words, name } : words)
  // A server with two editions lists the port of Java: an answer of Bedrock alone says nothing about it.
  const isPortKnown = !gamePortGiven && outcome.editions?.java !== false
  const found = isPortKnown ? (outcome.foundPort ?? usualPort(game) ?? gamePort) : gamePort
  if (!changed && found === gamePort) return []
  return [{ serverId, cycle, ...changed, ...(found !== gamePort && { gamePort: found }) }]
}

function toBatchServer({ target: { serverId, cycle } }: Polled): { serverId: string; cycle: number } {
  return { serverId, cycle }
}

function toResult({ target: { serverId, cycle, isUnclaimed }, outcome }: Polled): PollResult {
  const { country } = outcome
  if (!outcome.answered) return { serverId, cycle, isUnclaimed, country, answered: false }
  const { profile: _profile, foundPort: _foundPort, ...answer } = outcome
  return { serverId, cycle, isUnclaimed, country, ...answer }
}

async function takesLonger(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, true)
  try {
    return await Promise.race([work.then(() => false), promise])
  } finally {
    clearTimeout(timer)
  }
}
