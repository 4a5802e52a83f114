// Exact limits over several processes whose primary counts, without a message for each request: a process gets an
// allowance, so many further requests of a caller that it may pass without asking. The primary counts them at once and
// takes the rest back before it refuses the caller.
import { setImmediate } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import type { Peer } from '../../processes/peer.ts'
import type { Hit, LimitPolicy, SharedLimitStore } from '../limit-policy.ts'
import { createCallers, createWindows, hitOf, type Window } from './memory-limits.ts'

/** Requests to count, by their windows. */
type Batch = [policies: readonly LimitPolicy[], keys: string[]][]

/** What a process has of a window. */
interface Allowance {
  left: number
  /** Requests that the window has left besides these, as of the last answer. */
  others: number
  /** Of the window, epoch ms. */
  endsAt: number
  /** The primary has taken it back: what comes late is given back too. */
  isOver: boolean
}

interface Counted extends Hit {
  /** Of the window, epoch ms. */
  endsAt: number
  /** Counted already. */
  allowance: number
}

interface AllowanceKey {
  name: string
  key: string
  endsAt: number
}

interface SharedWindow extends Window {
  /** Processes with an allowance. */
  holders?: Set<Peer> | undefined
  /** While the allowances are taken back. */
  takingBack?: Promise<void> | undefined
  /** From then on each request is asked for. */
  tookBack?: true
}

/** A process that has not given an allowance back by then has used it up. */
const TAKE_BACK_MS = 250

/**
 * What a primary answers its processes.
 * @param processes how many there are
 */
export function createAllowances(processes: number) {
  const windows = createWindows<SharedWindow>()

  /**
   * An allowance is at most as large as what the window has counted so far, so that callers of one request leave nothing
   * behind in a process that is killed, and callers of many soon need no messages.
   */
  function allow({ limit }: LimitPolicy, window: SharedWindow, peer: Peer): number {
    const allowance = window.tookBack ? 0 : Math.min(Math.floor((limit - window.count) / (2 * processes)), window.count)
    if (allowance <= 0) return 0
    window.count += allowance
    window.holders ??= new Set()
    window.holders.add(peer)
    return allowance
  }

  async function takeBack(window: SharedWindow, holders: Set<Peer>, key: AllowanceKey): Promise<void> {
    const answers = await Promise.allSettled(
      Array.from(holders, (peer) => pTimeout(peer.ask<number>('giveBack', key), { milliseconds: TAKE_BACK_MS })),
    )
    for (const answer of answers) if (answer.status === 'fulfilled') window.count -= answer.value
    window.takingBack = undefined
  }

  async function hit(policy: LimitPolicy, key: string): Promise<Hit & { window: SharedWindow }> {
    const window = windows.open(policy, key)
    if (window.count >= policy.limit && window.holders) {
      const { holders } = window
      window.holders = undefined
      window.tookBack = true
      window.takingBack = takeBack(window, holders, { name: policy.name, key, endsAt: window.endsAt })
    }
    if (window.takingBack) {
      await window.takingBack
      return hit(policy, key)
    }
    window.count++
    return { ...hitOf(policy, window), window }
  }

  async function hitAll(policies: readonly LimitPolicy[], key: string) {
    const hits: Awaited<ReturnType<typeof hit>>[] = []
    for (const policy of policies) {
      const counted = await hit(policy, key)
      hits.push(counted)
      if (counted.refused) break
    }
    return { policies, hits }
  }

  return (peer: () => Peer): Peer['answers'] => ({
    async hits(batch: Batch): Promise<Counted[][]> {
      const counted = await Promise.all(batch.flatMap(([policies, keys]) => keys.map((key) => hitAll(policies, key))))
      // At the end, so that an allowance hardly ever arrives after the question that takes it back.
      return counted.map(({ policies, hits }) =>
        hits.map(({ window, ...hit }, n) => ({
          ...hit,
          endsAt: window.endsAt,
          allowance: allow(policies[n] as LimitPolicy, window, peer()),
        })),
      )
    },
    refund: ({ policy, key }: { policy: LimitPolicy; key: string }) => windows.refund(policy, key),
    unused(allowances: (AllowanceKey & { left: number })[]) {
      for (const { name, key, endsAt, left } of allowances) {
        const window = windows.find(name, key, endsAt)
        if (window) window.count -= left
      }
    },
  })
}

/** What a process counts with. */
export function allowanceStore(primary: Peer): SharedLimitStore {
  const allowances = createCallers<Allowance>()
  const ask = createAsking(primary)

  Object.assign(primary.answers, {
    async giveBack({ name, key, endsAt }: AllowanceKey): Promise<number> {
      await setImmediate() // an answer that came just before is noted first
      const known = allowances.get(name, key)
      const left = known?.endsAt === endsAt ? known.left : 0
      allowances.set(name, key, { left: 0, others: 0, endsAt, isOver: true })
      return left
    },
  } satisfies Peer['answers'])

  const giveBack = (unused: (AllowanceKey & { left: number })[]) =>
    primary.ask<void>('unused', unused).catch(() => undefined) // it has ended too

  function fromAllowances(policies: readonly LimitPolicy[], key: string): Hit[] | undefined {
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
  }

  /** @returns the hit as this process sees it, with what it has left */
  function note({ name }: LimitPolicy, key: string, { allowance, endsAt, ...hit }: Counted): Hit {
    const known = allowances.get(name, key)
    const current = known?.endsAt === endsAt ? known : { left: 0, others: 0, endsAt, isOver: false }
    const remaining = hit.remaining + current.left
    if (allowance > 0 && current.isOver) void giveBack([{ name, key, endsAt, left: allowance }])
    else if (allowance > 0) {
      current.left += allowance
      current.others = Math.max(hit.remaining - allowance, 0)
      allowances.set(name, key, current)
    }
    return { ...hit, remaining }
  }

  return {
    hitAll: (policies, key) =>
      fromAllowances(policies, key) ??
      ask(policies, key).then((hits) => hits.map((hit, n) => note(policies[n] as LimitPolicy, key, hit))),
    refund: (policy, key) => primary.ask('refund', { policy, key }),
    async stop() {
      const all = Array.from(allowances.entries(), ([name, key, { endsAt, left }]) => ({ name, key, endsAt, left }))
      const unused = all.filter(({ left }) => left > 0)
      if (unused.length > 0) await giveBack(unused)
    },
  }
}

/** One batch is under way at a time: under load a message counts many requests (docs/decisions/0037). */
function createAsking(primary: Peer) {
  let waiting = new Map<readonly LimitPolicy[], { key: string; counted: PromiseWithResolvers<Counted[]> }[]>()
  let isUnderWay = false
  async function askWaiting(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting]
      waiting = new Map()
      const requests = batch.flatMap(([, requests]) => requests)
      try {
        const message: Batch = batch.map(([policies, requests]) => [policies, requests.map(({ key }) => key)])
        const hits = await primary.ask<Counted[][]>('hits', message)
        for (const [n, { counted }] of requests.entries()) counted.resolve(hits[n] ?? [])
      } catch (error) {
        for (const { counted } of requests) counted.reject(error)
      }
    }
    isUnderWay = false
  }
  return (policies: readonly LimitPolicy[], key: string): Promise<Counted[]> => {
    const counted = Promise.withResolvers<Counted[]>()
    const requests = waiting.get(policies) ?? []
    requests.push({ key, counted })
    waiting.set(policies, requests)
    if (!isUnderWay) setImmediate().then(askWaiting)
    isUnderWay = true
    return counted.promise
  }
}
