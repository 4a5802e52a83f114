// Password hashes: argon2id on the thread pool. Few run at a time, because each takes 19 MiB and a core for tens of
// milliseconds.
import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { unavailable } from '../../../platform/http/errors.ts'

/**
 * OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. The library's default variant is argon2id.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const ARGON2ID = 2
/** Half of libuv's four threads; the other half stays free for DNS, files and compression. */
const AT_ONCE = 2
/** About two seconds of work. Further requests get 503 instead of waiting behind a flood. */
const WAITING = 100

export type Passwords = ReturnType<typeof createPasswords>

/** Hashing and verifying throw ApiError 503 if too many are waiting. */
export function createPasswords(parameters = PARAMETERS) {
  const limit = pLimit(AT_ONCE)
  async function queued<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= WAITING) throw unavailable('Too many people are logging in at the moment.', 5)
    return limit(work)
  }
  // A well-formed hash with random bytes: comparing with it takes as long as any comparison.
  const { memoryCost: m, timeCost: t, parallelism: p } = parameters
  const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  const placeholder = `$argon2id$v=19$m=${m},t=${t},p=${p}$${base64(16)}$${base64(32)}`
  return {
    hash: (password: string) => queued(() => hash(password, parameters)),
    /** @param stored undefined if there is none: takes as long as a comparison and returns false */
    verify: (stored: string | undefined, password: string) =>
      queued(async () => (await verify(stored ?? placeholder, password)) && stored !== undefined),
    /** Whether the hash was made with weaker parameters than the current ones. */
    isOutdated(stored: string): boolean {
      const { algorithm, memoryCost, timeCost } = parseOptions(stored)
      return Number(algorithm) !== ARGON2ID || memoryCost < m || timeCost < t
    },
  }
}
