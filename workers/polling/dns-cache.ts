// Caches what name servers answer, by name. The answer for a name in use is refreshed in the background; while look-ups
// fail, it is served stale (RFC 8767).
import { createBoundedCache } from '../../src/platform/bounded-cache.ts'

export interface DnsCacheOptions<Answer> {
  /** Asks name servers. Rejects if there is no answer to use. */
  lookUp: (name: string) => Promise<Answer>
  /** Milliseconds of a clock that is never set. */
  now: () => number
}

const MAX_NAMES = 50_000
/** Of every answer, instead of its records' TTL: one of 0 s must not cost a look-up for each poll. */
const TTL_MS = 5 * 60_000
/** Of a failed look-up. That a name has no address (a negative answer) is a failure, too. */
const FAILURE_TTL_MS = 30_000
/**
 * Of every answer for callers whose server may have moved: one look-up serves all listings of a name that
 * fail at the same time.
 */
const MOVED_TTL_MS = 5_000
/**
 * A name looked up within this time is in use: its expired answer was right a moment ago, and is served
 * during the next look-up.
 */
const IN_USE_MS = 10 * 60_000
/** How old an answer may be that is served while look-ups fail: a DNS outage is not the game server's. */
const MAX_STALE_MS = 60 * 60_000

interface CacheEntry<Answer> {
  /** The last answer; none if each look-up failed. */
  answer?: Answer
  answeredAt: number
  /** The last look-up, whether it succeeded or not. */
  lookedUpAt: number
  /** Why the last look-up failed. */
  failure?: unknown
}

/**
 * The answer for a name. Rejects with the failure of the last look-up if there is no answer that may be served.
 * @param mayHaveMoved shortens the TTL: the name is looked up again in the background
 */
export type DnsCache<Answer> = (name: string, mayHaveMoved?: boolean) => Promise<Answer>

export function createDnsCache<Answer>({ lookUp, now }: DnsCacheOptions<Answer>): DnsCache<Answer> {
  const entries = createBoundedCache<CacheEntry<Answer>>(MAX_NAMES)
  const refreshing = new Map<string, Promise<CacheEntry<Answer>>>()

  async function refresh(name: string, before: CacheEntry<Answer> | undefined): Promise<CacheEntry<Answer>> {
    let entry: CacheEntry<Answer>
    try {
      const answer = await lookUp(name)
      entry = { answer, answeredAt: now(), lookedUpAt: now() }
    } catch (failure) {
      entry = { answeredAt: Number.NEGATIVE_INFINITY, ...before, lookedUpAt: now(), failure }
    }
    entries.set(name, entry)
    return entry
  }

  function refreshOnce(name: string, before: CacheEntry<Answer> | undefined): Promise<CacheEntry<Answer>> {
    const refreshed = refreshing.get(name) ?? refresh(name, before).finally(() => refreshing.delete(name))
    refreshing.set(name, refreshed)
    return refreshed
  }

  const mayBeServedStale = ({ answeredAt }: CacheEntry<Answer>): boolean => now() - answeredAt < MAX_STALE_MS

  function answerOf(entry: CacheEntry<Answer>): Answer {
    if (entry.failure && !mayBeServedStale(entry)) throw entry.failure
    return entry.answer as Answer
  }

  return async (name, mayHaveMoved = false) => {
    const entry = entries.get(name)
    if (!entry) return answerOf(await refreshOnce(name, undefined))
    const sinceLookUpMs = now() - entry.lookedUpAt
    if (sinceLookUpMs < ttlOf(entry, { mayHaveMoved })) return answerOf(entry)
    const refreshed = refreshOnce(name, entry)
    const isInUse = sinceLookUpMs < IN_USE_MS
    if (!isInUse || !mayBeServedStale(entry)) return answerOf(await refreshed)
    entry.lookedUpAt = now()
    return answerOf(entry)
  }
}

/** Milliseconds from a look-up to the next one. */
function ttlOf({ failure }: Pick<CacheEntry<unknown>, 'failure'>, { mayHaveMoved }: { mayHaveMoved: boolean }): number {
  if (failure) return FAILURE_TTL_MS
  return mayHaveMoved ? MOVED_TTL_MS : TTL_MS
}
