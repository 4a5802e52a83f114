// The `RateLimit-Policy` and `RateLimit` headers (draft-ietf-httpapi-ratelimit-headers).
import type { FlatHeaders } from './fast-path/security-headers.ts'
import type { LimitCount, LimitPolicy, LimitWindow } from './limit-policy.ts'

/** @returns the headers of a reply to a request with these counts; none if it was not counted */
export function rateLimitHeaders(counts: readonly LimitCount[]): FlatHeaders {
  if (counts.length === 0) return []
  const policies = counts.map((count) => describePolicies(count.policies)).join(', ')
  const windows = counts.flatMap((count) => count.windows.map(describeWindow)).join(', ')
  return ['RateLimit-Policy', policies, 'RateLimit', windows]
}

/** Until the window ends. A refused client waits for at least one second. */
export const secondsLeft = ({ msLeft, refused }: Pick<LimitWindow, 'msLeft' | 'refused'>): number =>
  Math.max(Math.ceil(msLeft / 1000), refused ? 1 : 0)

const describeWindow = (window: LimitWindow) => `"${window.policy.name}";r=${window.remaining};t=${secondsLeft(window)}`

/** By list: the lists are few, and each request has one. */
const descriptions = new WeakMap<readonly LimitPolicy[], string>()

function describePolicies(policies: readonly LimitPolicy[]): string {
  let text = descriptions.get(policies)
  if (text === undefined) {
    text = policies.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`).join(', ')
    descriptions.set(policies, text)
  }
  return text
}
