// Exact limits over several processes whose primary counts, without a message for each request: a process gets an
// allowance, so many further requests of a caller that it may pass without asking (docs/decisions/0037).
import { setImmediate } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import type { Peer } from '../../processes/peer.ts'
import type { Hit, LimitPolicy, SharedLimitStore } from '../limit-policy.ts'
import { createCallers, createWindows, type Window } from './memory-limits.ts'

/** What a process has left of a window. */
interface Rest {
  /** Of the window, epoch ms. */
  endsAt: number
  left: number
}

/** Requests to count. With each question a process gives back what it has left of these windows. */
type Question = [policies: readonly LimitPolicy[], callers: { key: string; requests: number; rests: Rest[] }[]][]

interface Answer {
  /** Of each request. */
  hits: Hit[][]
  /** Of each window, with the requests that it has left besides. */
  allowances: (Rest & { others: number })[]
}

interface WindowKey {
  name: string
  key: string
  endsAt: number
}

interface SharedWindow extends Window {
  /** In allowances that were not given back. */
  granted: number
  /** The allowance of each process. */
  holders?: Map<Peer, number> | undefined
  /** While the allowances are taken back. */
  takingBack?: Promise<void> | undefined
  /** From then on each request is asked for. */
  tookBack?: true
}

/** How long a request waits for allowances to be taken back. */
const TAKE_BACK_MS = 250

/**
 * What a primary answers its processes.
 * @param processes how many there are
 */
export function createAllowances(processes: number) {
  const windows = createWindows<SharedWindow>((endsAt) => ({ count: 0, endsAt, granted: 0 }))

  /**
   * At most as many as the caller has used before, so that callers of one request leave nothing behind, and callers of
   * many soon need few messages.
   * @param allowed windows that have an allowance in the same answer
   */
  function allow(
    policy: LimitPolicy,
    key: string,
    peer: Peer,
    allowed: Set<SharedWindow>,
  ): Answer['allowances'][number] {
    const window = windows.open(policy, key)
    const isFirst = !allowed.has(window)
    allowed.add(window)
    const rest = Math.max(policy.limit - window.count - window.granted, 0)
    const left =
      window.tookBack || !isFirst ? 0 : Math.min(Math.floor(rest / (2 * processes)), Math.max(window.count - 1, 0))
    if (left > 0) {
      window.granted += left
      window.holders ??= new Map()
      window.holders.set(peer, left)
    }
    return { endsAt: window.endsAt, left, others: rest - left }
  }

  /** Counts what a process has used of its allowance. */
  function settle(window: SharedWindow, peer: Peer, left: number): void {
    const allowance = window.holders?.get(peer)
    if (allowance === undefined) {
      window.count = Math.max(window.count - left, -window.granted) // it arrived after it was taken back, and counted as used
      return
    }
    window.holders?.delete(peer)
    window.granted -= allowance
    window.count += allowance - left
  }

  async function takeBack(window: SharedWindow, windowKey: WindowKey): Promise<void> {
    const asked = Array.from(window.holders?.keys() ?? [], async (peer) =>
      settle(window, peer, await peer.ask<number>('giveBack', windowKey)),
    )
    // What is not given back in time counts as used, until it is.
    await pTimeout(Promise.allSettled(asked), { milliseconds: TAKE_BACK_MS, fallback: () => undefined })
    window.takingBack = undefined
  }

  async function hit(policy: LimitPolicy, key: string): Promise<Hit> {
    const window = windows.open(policy, key)
    const { endsAt } = window
    const used = window.count + window.granted
    // Before the last request, so that no reply says that nothing remains while other processes have some.
    if (used + 1 >= policy.limit && window.granted > 0 && !window.tookBack) {
      window.tookBack = true
      window.takingBack = takeBack(window, { name: policy.name, key, endsAt })
    }
    if (window.takingBack) {
      await window.takingBack
      return hit(policy, key)
    }
    const refused = used >= policy.limit
    if (!refused) window.count++
    const remaining = Math.max(policy.limit - window.count - window.granted, 0)
    return { remaining, msLeft: endsAt - Date.now(), refused }
  }

  async function hitAll(policies: readonly LimitPolicy[], key: string): Promise<Hit[]> {
    const hits: Hit[] = []
    for (const policy of policies) {
      const counted = await hit(policy, key)
      hits.push(counted)
      if (counted.refused) break
    }
    return hits
  }

  function giveBack(policy: string, key: string, peer: Peer, { endsAt, left }: Rest): void {
    const window = windows.find(policy, key, endsAt)
    if (window) settle(window, peer, left)
  }

  /** @param peer the process that asks */
  return (peer: () => Peer): Peer['answers'] => ({
    async hits(question: Question): Promise<Answer[]> {
      const asked = question.flatMap(([policies, callers]) => callers.map((caller) => ({ policies, ...caller })))
      for (const { policies, key, rests } of asked)
        for (const [n, rest] of rests.entries()) giveBack(policies[n]?.name ?? '', key, peer(), rest)
      const hits = await Promise.all(
        asked.map(async ({ policies, key, requests }) => {
          const ofCaller: Hit[][] = []
          while (ofCaller.length < requests) ofCaller.push(await hitAll(policies, key))
          return ofCaller
        }),
      )
      // At the end, so that an allowance hardly ever arrives after the question that takes it back.
      const allowed = new Set<SharedWindow>()
      return asked.map(({ policies, key }, n) => ({
        hits: hits[n] ?? [],
        allowances: policies.map((policy) => allow(policy, key, peer(), allowed)),
      }))
    },
    refund({ policy, key }: { policy: LimitPolicy; key: string }) {
      const window = windows.last(policy.name, key)
      if (window && window.count + window.granted > 0) window.count-- // below 0 if it passed by an allowance
    },
    unused(rests: (WindowKey & Rest)[]) {
      for (const { name, key, ...rest } of rests) giveBack(name, key, peer(), rest)
    },
  })
}

/** What a process has of a window. */
interface Allowance extends Rest {
  /** Requests that the window has left besides, as of the last answer. */
  others: number
  /** The primary has taken it back: what comes late is given back too. */
  isOver: boolean
}

/** What a process counts with. */
export function allowanceStore(primary: Peer): SharedLimitStore {
  let allowances = createCallers<Allowance>()
  let isStopped = false

  Object.assign(primary.answers, {
    async giveBack({ name, key, endsAt }: WindowKey): Promise<number> {
      await setImmediate() // an answer that came just before is noted first
      const known = allowances.get(name, key)
      if (known && known.endsAt > endsAt) return 0
      const left = known?.endsAt === endsAt ? known.left : 0
      allowances.set(name, key, { endsAt, left: 0, others: 0, isOver: true })
      return left
    },
  } satisfies Peer['answers'])

  const giveBack = (rests: (WindowKey & Rest)[]) => primary.ask<void>('unused', rests).catch(() => undefined) // it has ended too

  /** What is left of a caller's windows, for the question that gives it back. */
  function restsOf(policies: readonly LimitPolicy[], key: string): Rest[] {
    return policies.map(({ name }) => {
      const known = allowances.get(name, key)
      if (!known) return { endsAt: 0, left: 0 }
      const { endsAt, left } = known
      known.left = 0
      return { endsAt, left }
    })
  }

  function note(name: string, key: string, { endsAt, left, others }: Answer['allowances'][number]): void {
    if (left === 0) return
    const known = allowances.get(name, key)
    if (isStopped || (known?.isOver && known.endsAt === endsAt)) void giveBack([{ name, key, endsAt, left }])
    else allowances.set(name, key, { endsAt, left, others, isOver: false })
  }

  const ask = createAsking(primary, restsOf, note)
  return {
    hitAtOnce(policies, key) {
      const now = Date.now()
      const own: Allowance[] = []
      for (const { name } of policies) {
        const allowance = allowances.get(name, key)
        if (!allowance || allowance.left === 0 || allowance.endsAt <= now) return undefined
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
      const rests = Array.from(allowances.entries(), ([name, key, { endsAt, left }]) => ({ name, key, endsAt, left }))
      allowances = createCallers()
      isStopped = true
      const unused = rests.filter(({ left, endsAt }) => left > 0 && endsAt > now)
      if (unused.length > 0) await giveBack(unused)
    },
  }
}

/** One question is under way at a time: under load it counts many requests. */
function createAsking(
  primary: Peer,
  restsOf: (policies: readonly LimitPolicy[], key: string) => Rest[],
  note: (name: string, key: string, allowance: Answer['allowances'][number]) => void,
) {
  type Waiting = Map<readonly LimitPolicy[], Map<string, PromiseWithResolvers<Hit[]>[]>>
  let waiting: Waiting = new Map()
  let isUnderWay = false
  async function askWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const asked = [...waiting].map(([policies, callers]) => [policies, [...callers]] as const)
      waiting = new Map()
      const all = asked.flatMap(([policies, callers]) =>
        callers.map(([key, requests]) => ({ policies, key, requests })),
      )
      const question: Question = asked.map(([policies, callers]) => [
        policies,
        callers.map(([key, requests]) => ({ key, requests: requests.length, rests: restsOf(policies, key) })),
      ])
      try {
        const answers = await primary.ask<Answer[]>('hits', question)
        for (const [n, { policies, key, requests }] of all.entries()) {
          const { hits, allowances } = answers[n] as Answer
          for (const [at, { name }] of policies.entries())
            note(name, key, allowances[at] as Answer['allowances'][number])
          for (const [at, counted] of requests.entries()) counted.resolve(hits[at] as Hit[])
        }
      } catch (error) {
        for (const { requests } of all) for (const counted of requests) counted.reject(error)
      }
    }
    isUnderWay = false
  }
  return (policies: readonly LimitPolicy[], key: string): Promise<Hit[]> => {
    const counted = Promise.withResolvers<Hit[]>()
    const callers = waiting.get(policies) ?? new Map<string, PromiseWithResolvers<Hit[]>[]>()
    waiting.set(policies, callers)
    const requests = callers.get(key) ?? []
    callers.set(key, requests)
    requests.push(counted)
    if (!isUnderWay) void setImmediate().then(askWaiting)
    isUnderWay = true
    return counted.promise
  }
}
