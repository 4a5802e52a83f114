// Keeps what name servers answered, by name: an answer is asked for again in the background while it is in use.
import { createBoundedCache } from '../../src/platform/bounded-cache.ts'

export interface AnswerCacheOptions<Answer> {
  /** Rejects if there is no answer now. */
  ask: (name: string) => Promise<Answer>
  /** Milliseconds of a clock that is never set. */
  now: () => number
}

const CACHED_NAMES = 50_000
/** Whatever lifetime (TTL) a record names: one of 0 s must not cost a question a query. */
const FRESH_MS = 5 * 60_000
/** How long a failed name is not asked for again. */
const FAILED_MS = 30_000
/** The same for a name that no longer leads to a server: one look-up serves all its listings that fail at the same time. */
const DOUBTED_MS = 5_000
/** A name used within this time is asked for in the background: its last answer was right a moment ago. */
const IN_USE_MS = 10 * 60_000
/** How long the last answer is used while questions fail: a DNS outage is not the game server's. */
const STAND_IN_MS = 60 * 60_000

interface CachedAnswer<Answer> {
  answer?: Answer
  /** When it was last requested, and when it last succeeded. */
  askedAt: number
  knownAt: number
  failure?: unknown
}

/**
 * Answers for a name, or rejects with the failure if it has no answer young enough.
 * @param isDoubted asks again in the background although the last answer is young
 */
export type AnswerCache<Answer> = (name: string, isDoubted?: boolean) => Promise<Answer>

export function createAnswerCache<Answer>({ ask, now }: AnswerCacheOptions<Answer>): AnswerCache<Answer> {
  const answers = createBoundedCache<CachedAnswer<Answer>>(CACHED_NAMES)
  const asking = new Map<string, Promise<CachedAnswer<Answer>>>()

  async function refresh(name: string, before: CachedAnswer<Answer> | undefined): Promise<CachedAnswer<Answer>> {
    let cached: CachedAnswer<Answer>
    try {
      const answer = await ask(name)
      cached = { answer, askedAt: now(), knownAt: now() }
    } catch (failure) {
      cached = { knownAt: Number.NEGATIVE_INFINITY, ...before, askedAt: now(), failure }
    }
    answers.set(name, cached)
    return cached
  }

  function refreshOnce(name: string, before: CachedAnswer<Answer> | undefined): Promise<CachedAnswer<Answer>> {
    const refreshing = asking.get(name) ?? refresh(name, before).finally(() => asking.delete(name))
    asking.set(name, refreshing)
    return refreshing
  }

  return async (name, isDoubted = false) => {
    let cached = answers.get(name)
    const idleMs = cached ? now() - cached.askedAt : Number.POSITIVE_INFINITY
    if (!cached || idleMs >= (cached.failure ? FAILED_MS : isDoubted ? DOUBTED_MS : FRESH_MS)) {
      const refreshed = refreshOnce(name, cached)
      if (cached && idleMs < IN_USE_MS && now() - cached.knownAt < STAND_IN_MS) cached.askedAt = now()
      else cached = await refreshed
    }
    if (cached.failure && now() - cached.knownAt >= STAND_IN_MS) throw cached.failure
    return cached.answer as Answer
  }
}
