// What a process remembers of credentials it has looked up (docs/decisions/0015).
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyStanding } from '../../platform/http/actor.ts'
import type { Credential } from './credential.ts'

/** Short, although no later key can match: names are random and never given out twice. It is for a database restored from a copy. */
const UNKNOWN_MS = 30_000
/** About 2 MB each. The least recently used are forgotten first, which only costs a look-up. */
const MAX_CREDENTIALS = 10_000

export interface KeyMemory {
  standingOf(credential: Credential): KeyStanding
  /** There is no such key, or it has another secret: neither can become valid. */
  keepUnknown(credential: Credential): void
  keepValid(credential: Credential, standing: 'free' | 'paid'): void
  /** For a key that is refused now and may be valid again: switched off, expired, or of a banned owner. */
  forget(credential: Credential): void
}

export function createKeyMemory(): KeyMemory {
  // Apart from each other, so that a flood of unknown keys does not push the valid ones out.
  const unknown = new LRUCache<string, true>({ max: MAX_CREDENTIALS, ttl: UNKNOWN_MS })
  const valid = new LRUCache<string, 'free' | 'paid'>({ max: MAX_CREDENTIALS })

  return {
    standingOf(credential) {
      const digest = digestOf(credential)
      return unknown.has(digest) ? 'unknown' : (valid.get(digest) ?? 'new')
    },
    keepUnknown(credential) {
      const digest = digestOf(credential)
      valid.delete(digest)
      unknown.set(digest, true)
    },
    keepValid: (credential, standing) => void valid.set(digestOf(credential), standing),
    forget: (credential) => void valid.delete(digestOf(credential)),
  }
}

/** No secret stays in memory in clear. */
const digestOf = ({ key, secret }: Credential) => hash('sha256', `${key}.${secret}`, 'base64url')
