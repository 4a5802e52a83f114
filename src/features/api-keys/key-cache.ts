// Cached results of credential look-ups in one process (docs/decisions/0015).
import { hash } from 'node:crypto'
import { createBoundedCache } from '../../platform/bounded-cache.ts'
import type { KeyStatus } from '../../platform/http/actor.ts'
import type { Credential } from './credential.ts'

/** New keys cannot match a cached one, because names are random and never reused. After a restored backup they can. */
const UNKNOWN_MS = 30_000
/** About 2 MB each. Eviction of the least recently used only costs a look-up. */
const MAX_CREDENTIALS = 10_000

export function createKeyCache() {
  // Apart from each other, so that a flood of unknown keys does not evict valid ones.
  const unknown = createBoundedCache<true>(MAX_CREDENTIALS, { ttl: UNKNOWN_MS })
  const valid = createBoundedCache<'free' | 'paid'>(MAX_CREDENTIALS)

  return {
    statusOf(credential: Credential): KeyStatus {
      const digest = digestOf(credential)
      return unknown.has(digest) ? 'unknown' : (valid.get(digest) ?? 'new')
    },
    /** Remembers a key that does not exist or has another secret: neither can become valid. */
    addUnknown(credential: Credential): void {
      const digest = digestOf(credential)
      valid.delete(digest)
      unknown.set(digest, true)
    },
    addValid: (credential: Credential, status: 'free' | 'paid') => void valid.set(digestOf(credential), status),
    /** Forgets a key that is refused now but may become valid: inactive, expired, or of a banned owner. */
    remove: (credential: Credential) => void valid.delete(digestOf(credential)),
  }
}

/** Keeps no secret in memory in plain text. */
const digestOf = ({ key, secret }: Credential) => hash('sha256', `${key}.${secret}`, 'base64url')
