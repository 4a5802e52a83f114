// The rules by which votes are suspicious: from counts to findings. docs/decisions/0076 says why these numbers.
import { DAY_MS } from '../../platform/durations.ts'
import type { NewFinding, Signal } from '../reports/index.ts'
import type { DayVotes, NetworkVotes, Span, VoteCounts } from './signals.sql.ts'

/** Fewer votes say nothing, neither of a server nor of what is usual. */
export const MIN_VOTES = 50
/** Fewer servers get no finding about all votes, since one server's votes could decide it. */
const MIN_SERVERS = 10

/**
 * `fewNetworks`: at most this many networks sent this share of the votes. Each has its own share of them at least,
 * because "void" also voids the votes of a network that only happens to be among the largest five.
 */
export const FEW_NETWORKS = { networks: 5, minShareOfEach: 0.05 }
const FEW_NETWORKS_SHARE = 0.5

/** `burst`: votes of a day, as a multiple of those on the busiest of the 28 days before. */
const BURST_FACTOR = 3
/** A server whose votes are all newer has no past to compare with. */
const MIN_DAYS_OF_PAST = 7

/** A signal by a share of votes: at least `share`, and at least `timesUsual` times the usual one. */
interface ShareRule {
  signal: Signal
  of: 'located' | 'older' | 'known'
  selected: 'hosting' | 'seenOnce' | 'withoutPage'
  share: number
  timesUsual: number
  selection: (span: Span) => NewFinding['selection']
}

const timesOf = ({ from, until }: Span) => ({ from: from.toISOString(), until: until.toISOString() })

const SHARE_RULES: readonly ShareRule[] = [
  {
    signal: 'hosting',
    of: 'located',
    selected: 'hosting',
    share: 0.2,
    timesUsual: 3,
    selection: (span) => ({ ...timesOf(span), hosting: true }),
  },
  {
    signal: 'seenOnce',
    of: 'older',
    selected: 'seenOnce',
    share: 0.8,
    timesUsual: 1.5,
    selection: ({ from, until }) => ({
      ...timesOf({ from, until: new Date(until.getTime() - DAY_MS) }),
      seenOnce: true,
    }),
  },
  {
    signal: 'withoutPage',
    of: 'known',
    selected: 'withoutPage',
    share: 0.5,
    timesUsual: 3,
    selection: (span) => ({ ...timesOf(span), fromPage: false }),
  },
]

/** Votes that a rule looks at, and the suspicious ones. */
interface Share {
  votes: number
  selected: number
}

/**
 * Compares each server with all others, and all together with the past.
 * @param before counts of the four weeks before the span
 */
export function judgeShares(span: Span, counts: readonly VoteCounts[], before: readonly VoteCounts[]): NewFinding[] {
  const findings: NewFinding[] = []
  for (const rule of SHARE_RULES) {
    const all = sumOf(rule, counts)
    const judge = (serverId: string | null, share: Share, usual: Share) => {
      if (!isSuspicious(rule, share, usual)) return
      const numbers = { ...share, usualShare: usual.selected / usual.votes, busiestDay: null }
      findings.push(findingOf(rule.signal, serverId, numbers, rule.selection(span)))
    }
    if (counts.length >= MIN_SERVERS) judge(null, all, sumOf(rule, before))
    for (const one of counts) {
      const share = sumOf(rule, [one])
      const others = { votes: all.votes - share.votes, selected: all.selected - share.selected }
      judge(one.serverId, share, others)
    }
  }
  return findings
}

const sumOf = ({ of, selected }: ShareRule, counts: readonly VoteCounts[]): Share => ({
  votes: counts.reduce((sum, one) => sum + one[of], 0),
  selected: counts.reduce((sum, one) => sum + one[selected], 0),
})

function isSuspicious(rule: ShareRule, { votes, selected }: Share, usual: Share): boolean {
  if (votes < MIN_VOTES || usual.votes < MIN_VOTES) return false
  return selected >= votes * rule.share && selected / votes >= rule.timesUsual * (usual.selected / usual.votes)
}

/** If few networks sent half of all votes, that is one finding and not one of each server. */
export function judgeNetworks(span: Span, counts: readonly NetworkVotes[]): NewFinding[] {
  const found = counts.filter(({ votes, selected }) => selected >= votes * FEW_NETWORKS_SHARE)
  const ofAll = found.filter(({ serverId }) => serverId === null)
  const ofServers = found.filter(({ serverId }) => serverId !== null)
  const servers = counts.filter(({ serverId }) => serverId !== null).length
  const reported = servers >= MIN_SERVERS && ofAll.length > 0 ? ofAll : ofServers
  return reported.map(({ serverId, votes, selected, networks }) => {
    const numbers = { votes, selected, usualShare: null, busiestDay: null }
    return findingOf('fewNetworks', serverId, numbers, { ...timesOf(span), networks: networks.join(',') })
  })
}

/** @param day the last 24 hours of the counted days */
export function judgeDays(day: Span, counts: readonly DayVotes[]): NewFinding[] {
  const byServer = Map.groupBy(counts, ({ serverId }) => serverId)
  const all = byServer.get(null) ?? []
  byServer.delete(null)
  const judged = byServer.size >= MIN_SERVERS ? [...byServer, [null, all] as const] : [...byServer]
  const findings: NewFinding[] = []
  for (const [serverId, days] of judged) {
    const votes = days.find(({ daysAgo }) => daysAgo === 0)?.votes ?? 0
    const past = days.filter(({ daysAgo }) => daysAgo > 0)
    const busiestDay = Math.max(0, ...past.map((one) => one.votes))
    const hasPast = past.some(({ daysAgo }) => daysAgo >= MIN_DAYS_OF_PAST)
    if (!hasPast || votes < MIN_VOTES || votes < BURST_FACTOR * busiestDay) continue
    findings.push(findingOf('burst', serverId, { votes, selected: votes, usualShare: null, busiestDay }, timesOf(day)))
  }
  return findings
}

const findingOf = (
  signal: Signal,
  serverId: string | null,
  numbers: NewFinding['numbers'],
  selection: NewFinding['selection'],
): NewFinding => ({
  signal,
  serverId,
  numbers,
  selection: serverId === null ? selection : { serverId, ...selection },
})
