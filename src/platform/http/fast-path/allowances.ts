// Exact limits over several processes whose primary counts, without a message for each request: a process gets an
// allowance: the number of a caller's further requests that it may pass without asking (docs/decisions/0037). This is
// the primary's side; allowance-store.ts is the process'.
import pTimeout from 'p-timeout'
import type { Peer, PeerAnswers } from '../../processes/peer.ts'
import { hitUntilRefused, type LimitPolicy, type WindowState } from '../limit-policy.ts'
import { createWindows, type Window } from './memory-limits.ts'

/** What a process has left of a window. */
export interface RemainingAllowance {
  /** End of the window, epoch ms. */
  endsAt: number
  left: number
}

/** Requests to count. */
export type CountQuery = [policies: readonly LimitPolicy[], callers: CountedCaller[]][]

interface CountedCaller {
  key: string
  requests: number
  /**
   * What the process has left of each window: it gives that back. The name stays, because a primary and its processes
   * are of different releases during an update.
   */
  rests: RemainingAllowance[]
}

export interface CountReply {
  /** Window states of each request. */
  hits: WindowState[][]
  /** The allowance of each window. */
  allowances: GrantedAllowance[]
}

export interface GrantedAllowance extends RemainingAllowance {
  /** Requests that the window has left in addition to the allowance. */
  others: number
}

export interface WindowKey {
  name: string
  key: string
  endsAt: number
}

interface SharedWindow extends Window {
  /** Requests in allowances that were not given back. */
  granted: number
  /** The allowance of each process. */
  holders?: Map<Peer, number> | undefined
  /** While the allowances are revoked. */
  revoking?: Promise<void> | undefined
  /** Once this is set, processes ask for each request. */
  isRevoked?: true
}

/** How long a request waits for allowances to be revoked. */
const REVOKE_MS = 250

/**
 * What a primary answers its processes.
 * @param processes how many there are
 */
export function createAllowances(processes: number) {
  const windows = createWindows<SharedWindow>((endsAt) => ({ count: 0, endsAt, granted: 0 }))

  /**
   * Grants at most as many requests as the caller used before, so that callers of one request leave nothing behind, and
   * those of many soon need few messages.
   * @param allowed windows that have an allowance in the same answer
   */
  function allow(policy: LimitPolicy, key: string, peer: Peer, allowed: Set<SharedWindow>): GrantedAllowance {
    const window = windows.open(policy, key, Date.now())
    const isFirst = !allowed.has(window)
    allowed.add(window)
    const remaining = Math.max(policy.limit - window.count - window.granted, 0)
    const left =
      window.isRevoked || !isFirst
        ? 0
        : Math.min(Math.floor(remaining / (2 * processes)), Math.max(window.count - 1, 0))
    if (left > 0) {
      window.granted += left
      window.holders ??= new Map()
      window.holders.set(peer, left)
    }
    return { endsAt: window.endsAt, left, others: remaining - left }
  }

  /** Counts what a process has used of its allowance. */
  function closeAllowance(window: SharedWindow, peer: Peer, left: number): void {
    const allowance = window.holders?.get(peer)
    if (allowance === undefined) {
      window.count = Math.max(window.count - left, -window.granted) // it arrived after it was revoked, and counted as used
      return
    }
    window.holders?.delete(peer)
    window.granted -= allowance
    window.count += allowance - left
  }

  async function revokeAllowances(window: SharedWindow, windowKey: WindowKey): Promise<void> {
    const asked = Array.from(window.holders?.keys() ?? [], async (peer) =>
      closeAllowance(window, peer, await peer.ask<number>('giveBack', windowKey)),
    )
    // What is not given back in time counts as used, until it is.
    await pTimeout(Promise.allSettled(asked), { milliseconds: REVOKE_MS, fallback: () => undefined })
    window.revoking = undefined
  }

  async function hit(policy: LimitPolicy, key: string): Promise<WindowState> {
    const window = windows.open(policy, key, Date.now())
    const { endsAt } = window
    const used = window.count + window.granted
    // Revoked before the last request, so that no reply says that nothing remains while other processes have some.
    if (used + 1 >= policy.limit && window.granted > 0 && !window.isRevoked) {
      window.isRevoked = true
      window.revoking = revokeAllowances(window, { name: policy.name, key, endsAt })
    }
    if (window.revoking) {
      await window.revoking
      return hit(policy, key)
    }
    const refused = used >= policy.limit
    if (!refused) window.count++
    const remaining = Math.max(policy.limit - window.count - window.granted, 0)
    return { remaining, msLeft: endsAt - Date.now(), refused }
  }

  function giveBack(policy: string, key: string, peer: Peer, { endsAt, left }: RemainingAllowance): void {
    const window = windows.find(policy, key, endsAt)
    if (window) closeAllowance(window, peer, left)
  }

  return {
    async hits(question: CountQuery, peer: Peer): Promise<CountReply[]> {
      const asked = question.flatMap(([policies, callers]) => callers.map((caller) => ({ policies, ...caller })))
      for (const { policies, key, rests: remaining } of asked)
        for (const [n, allowance] of remaining.entries()) giveBack(policies[n]?.name ?? '', key, peer, allowance)
      const hits = await Promise.all(
        asked.map(async ({ policies, key, requests }) => {
          const ofCaller: WindowState[][] = []
          while (ofCaller.length < requests)
            ofCaller.push(await hitUntilRefused(policies, (policy) => hit(policy, key)))
          return ofCaller
        }),
      )
      // Granted at the end, so that an allowance almost never arrives after the question that revokes it.
      const allowed = new Set<SharedWindow>()
      return asked.map(({ policies, key }, n) => ({
        hits: hits[n] ?? [],
        allowances: policies.map((policy) => allow(policy, key, peer, allowed)),
      }))
    },
    refund({ policy, key }: { policy: LimitPolicy; key: string }) {
      const window = windows.last(policy.name, key)
      if (window && window.count + window.granted > 0) window.count-- // below 0 if it passed by an allowance
    },
    unused(remaining: (WindowKey & RemainingAllowance)[], peer: Peer) {
      for (const { name, key, ...allowance } of remaining) giveBack(name, key, peer, allowance)
    },
  } satisfies PeerAnswers
}
