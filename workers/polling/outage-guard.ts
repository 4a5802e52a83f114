// Tells our own outage from theirs: when nobody answers us any more, failures are not believed (docs/decisions/0004-own-outage.md).

/** How one server that was shown online did. */
export interface Evidence {
  serverId: string
  address: string
  answered: boolean
  /** When its query ended, epoch milliseconds. */
  at: number
}

export type Judgement = { believed: true } | { believed: false; reason: 'nobody answers' | 'event loop stalled' }

export interface OutageGuard {
  /** Notes how a server that was shown online did, as soon as it is known. */
  note(evidence: Evidence): void
  /** Takes a server out of the evidence: it is shown offline, so its silence is no news. */
  forget(serverId: string): void
  /** Judges the failures of queries that began at or after `since`. */
  judge(since: number, now: number): Judgement
}

export interface OutageGuardOptions {
  /** Time between two polls of a server: how far back a failure counts that no answer has contradicted. */
  intervalMs: number
  /** Whether the event loop stood still at some time since then: replies were there, and we did not read them. */
  stalledSince?: (since: number) => boolean
}

/** Share of addresses, among all that were heard of, that must have failed. */
const FAILED_SHARE = 0.9
/** Fewer servers than this failing at once may well be down. */
const FEWEST_SERVERS = 5
/** Below this many addresses it may be one hoster, with nobody else polled meanwhile to prove it. */
const FEWEST_ADDRESSES = 5
/** How long failures are held back: an hour when many hosters fail at once, minutes when it may be one, or our event loop. */
const HELD_MS = 60 * 60_000
const HELD_IN_DOUBT_MS = 5 * 60_000
const MOST_EVIDENCE = 200_000

export function createOutageGuard(options: OutageGuardOptions): OutageGuard {
  const { intervalMs, stalledSince = () => false } = options
  const lookBackMs = Math.max(2 * intervalMs, 60_000)
  /** Servers whose last news is a failure, the oldest first. */
  const failed = new Map<string, { address: string; at: number }>()
  /** The same, counted by address. */
  const failedAt = new Map<string, number>()
  /** The newest answers, in the order of time. */
  let answers: { address: string; at: number }[] = []
  let held: { since: number; last: number } | undefined

  function forget(serverId: string): void {
    const entry = failed.get(serverId)
    if (!entry) return
    failed.delete(serverId)
    const left = (failedAt.get(entry.address) ?? 1) - 1
    if (left > 0) failedAt.set(entry.address, left)
    else failedAt.delete(entry.address)
  }

  function forgetOld(now: number): void {
    for (const [serverId, { at }] of failed) {
      if (at >= now - lookBackMs && failed.size <= MOST_EVIDENCE) break
      forget(serverId)
    }
  }

  /** Whether enough addresses answered since then to make the failed ones a minority. Looks no further than it must. */
  function othersAnswer(since: number): boolean {
    const needed = (failedAt.size * (1 - FAILED_SHARE)) / FAILED_SHARE
    const answering = new Set<string>()
    for (let n = answers.length - 1; n >= 0; n--) {
      const answer = answers[n]
      if (!answer || answer.at < since) break
      answering.add(answer.address)
      if (answering.size > needed) return true
    }
    return false
  }

  function suspicion(
    since: number,
    now: number,
  ): { reason: 'nobody answers' | 'event loop stalled'; ms: number } | null {
    if (stalledSince(since)) return { reason: 'event loop stalled', ms: HELD_IN_DOUBT_MS }
    forgetOld(now)
    // Answers from before these queries prove nothing about the time in which they failed.
    if (failed.size < FEWEST_SERVERS || othersAnswer(since)) return null
    return { reason: 'nobody answers', ms: failedAt.size < FEWEST_ADDRESSES ? HELD_IN_DOUBT_MS : HELD_MS }
  }

  return {
    note({ serverId, address, answered, at }) {
      forget(serverId)
      if (answered) {
        answers.push({ address, at })
        if (answers.length > 2 * MOST_EVIDENCE) answers = answers.slice(-MOST_EVIDENCE)
      } else {
        failed.set(serverId, { address, at })
        failedAt.set(address, (failedAt.get(address) ?? 0) + 1)
      }
    },
    forget,
    judge(since, now) {
      const suspected = suspicion(since, now)
      if (!suspected) {
        held = undefined
        return { believed: true }
      }
      // An outage long past has nothing to do with this one.
      held = { since: held && now - held.last <= lookBackMs ? held.since : now, last: now }
      return now - held.since < suspected.ms ? { believed: false, reason: suspected.reason } : { believed: true }
    },
  }
}
