// Counts requests for a process whose primary counts: from its allowances, or by asking (docs/decisions/0037).
import { setImmediate } from 'node:timers/promises'
import type { Peer, PeerAnswers } from '../../processes/peer.ts'
import type { LimitPolicy, SharedLimitStore, WindowState } from '../limit-policy.ts'
import type { CountQuery, CountReply, GrantedAllowance, RemainingAllowance, WindowKey } from './allowances.ts'
import { createCallers, isCurrent } from './memory-limits.ts'

interface Allowance extends GrantedAllowance {
  /** The primary has revoked it: what comes late is returned too. */
  isRevoked: boolean
}

export function allowanceStore(primary: Peer): SharedLimitStore {
  let allowances = createCallers<Allowance>()
  let isStopped = false

  Object.assign(primary.answers, {
    async giveBack({ name, key, endsAt }: WindowKey): Promise<number> {
      await setImmediate() // an answer that came just before is applied first
      const known = allowances.get(name, key)
      if (known && known.endsAt > endsAt) return 0
      const left = known?.endsAt === endsAt ? known.left : 0
      allowances.set(name, key, { endsAt, left: 0, others: 0, isRevoked: true })
      return left
    },
  } satisfies PeerAnswers)

  const returnUnused = (unused: (WindowKey & RemainingAllowance)[]) =>
    primary.ask<void>('unused', unused).catch(() => undefined) // it has ended too

  /** Takes back what is left of a caller's windows: the next question returns it. */
  function withdrawRemaining(policies: readonly LimitPolicy[], key: string): RemainingAllowance[] {
    return policies.map(({ name }) => {
      const known = allowances.get(name, key)
      if (!known) return { endsAt: 0, left: 0 }
      const { endsAt, left } = known
      known.left = 0
      return { endsAt, left }
    })
  }

  function applyGrant(name: string, key: string, { endsAt, left, others }: GrantedAllowance): void {
    if (left === 0) return
    const known = allowances.get(name, key)
    if (isStopped || (known?.isRevoked && known.endsAt === endsAt)) void returnUnused([{ name, key, endsAt, left }])
    else allowances.set(name, key, { endsAt, left, others, isRevoked: false })
  }

  const ask = createAsking(primary, withdrawRemaining, applyGrant)
  return {
    hitAtOnce(policies, key) {
      const now = Date.now()
      const own: Allowance[] = []
      for (const policy of policies) {
        const allowance = allowances.get(policy.name, key)
        if (!allowance || allowance.left === 0 || !isCurrent(allowance.endsAt, policy, now)) return undefined
        own.push(allowance)
      }
      return own.map((allowance) => {
        allowance.left--
        return { remaining: allowance.others + allowance.left, msLeft: allowance.endsAt - now, refused: false }
      })
    },
    hitAll: ask,
    refund: (policy, key) => primary.ask('refund', { policy, key }),
    async stop() {
      const now = Date.now()
      const held = Array.from(allowances.entries(), ([name, key, { endsAt, left }]) => ({ name, key, endsAt, left }))
      allowances = createCallers()
      isStopped = true
      const unused = held.filter(({ left, endsAt }) => left > 0 && endsAt > now)
      if (unused.length > 0) await returnUnused(unused)
    },
  }
}

/** One question is under way at a time: under load it counts many requests. */
function createAsking(
  primary: Peer,
  withdrawRemaining: (policies: readonly LimitPolicy[], key: string) => RemainingAllowance[],
  applyGrant: (name: string, key: string, allowance: GrantedAllowance) => void,
) {
  type Waiting = Map<readonly LimitPolicy[], Map<string, PromiseWithResolvers<WindowState[]>[]>>
  let waiting: Waiting = new Map()
  let isUnderWay = false
  async function askWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const asked = [...waiting].map(([policies, callers]) => [policies, [...callers]] as const)
      waiting = new Map()
      const all = asked.flatMap(([policies, callers]) =>
        callers.map(([key, requests]) => ({ policies, key, requests })),
      )
      const question: CountQuery = asked.map(([policies, callers]) => [
        policies,
        callers.map(([key, requests]) => ({ key, requests: requests.length, rests: withdrawRemaining(policies, key) })),
      ])
      try {
        const answers = await primary.ask<CountReply[]>('hits', question)
        for (const [n, { policies, key, requests }] of all.entries()) {
          const { hits, allowances } = answers[n] as CountReply
          for (const [at, { name }] of policies.entries()) applyGrant(name, key, allowances[at] as GrantedAllowance)
          for (const [at, counted] of requests.entries()) counted.resolve(hits[at] as WindowState[])
        }
      } catch (error) {
        for (const { requests } of all) for (const counted of requests) counted.reject(error)
      }
    }
    isUnderWay = false
  }
  return (policies: readonly LimitPolicy[], key: string): Promise<WindowState[]> => {
    const counted = Promise.withResolvers<WindowState[]>()
    const callers = waiting.get(policies) ?? new Map<string, PromiseWithResolvers<WindowState[]>[]>()
    waiting.set(policies, callers)
    const requests = callers.get(key) ?? []
    callers.set(key, requests)
    requests.push(counted)
    if (!isUnderWay) void setImmediate().then(askWaiting)
    isUnderWay = true
    return counted.promise
  }
}
