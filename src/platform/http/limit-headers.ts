// The `RateLimit-Policy` and `RateLimit` headers (draft-ietf-httpapi-ratelimit-headers).
import type { FlatHeaders } from './fast-path/security-headers.ts'
import type { LimitCount, LimitPolicy, WindowState } from './limit-policy.ts'

/** @returns the headers of a reply to a request with these counts; none if it was not counted */
export function rateLimitHeaders(counts: readonly LimitCount[]): FlatHeaders {
  if (counts.length === 0) return []
  let described = ''
  let windows = ''
  // Every reply has these headers: lists in between (`map`, `join`) cost a list page 2 % of its CPU time.
  for (const { policies, hits } of counts) {
    described = append(described, describePolicies(policies))
    for (let n = 0; n < hits.length; n++)
      windows = append(windows, describeWindow(policies[n] as LimitPolicy, hits[n] as WindowState))
  }
  return ['RateLimit-Policy', described, 'RateLimit', windows]
}

/** Seconds until the window ends. A refused client waits for at least one second. */
export const secondsLeft = ({ msLeft, refused }: WindowState): number =>
  Math.max(Math.ceil(msLeft / 1000), refused ? 1 : 0)

const append = (list: string, item: string) => (list === '' ? item : `${list}, ${item}`)

const describeWindow = ({ name }: LimitPolicy, hit: WindowState) => `"${name}";r=${hit.remaining};t=${secondsLeft(hit)}`

/** Descriptions by list: the lists are few, and each request has one. */
const descriptions = new WeakMap<readonly LimitPolicy[], string>()

function describePolicies(policies: readonly LimitPolicy[]): string {
  let text = descriptions.get(policies)
  if (text === undefined) {
    text = policies.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`).join(', ')
    descriptions.set(policies, text)
  }
  return text
}
