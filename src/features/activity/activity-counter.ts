// Counts in memory what visitors do with servers, and adds it to the database once a minute
// (docs/decisions/0068-numbers-for-owners.md).
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'
import { Counter } from 'prom-client'
import type { Clock } from '../../deps.ts'
import { DAY_MS } from '../../platform/durations.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { ActivityOfDay } from './activity.sql.ts'

type Action = 'view' | 'copy' | 'join'

interface VisitorAction {
  serverId: string
  action: Action
  /** Keyed hash of the client's address. Kept until the next write, so that a reload is not counted again. */
  clientKey: string
  userAgent: string | undefined
}

const WRITE_MS = 60_000
/** Maximum between two writes of a process: 20 MB of keys. Further actions are not counted. */
const MAX_ACTIONS = 100_000
/** Crawlers are recognized by this header alone; a longer one is no browser's. */
const MAX_USER_AGENT = 512

const uncounted = new Counter({
  name: 'directory_activity_uncounted_total',
  help: 'Views, copied addresses and joins that were not counted, because too many came within a minute or they could not be written',
})

const COLUMN = { view: 'views', copy: 'copies', join: 'joins' } as const

interface CounterOptions {
  /** Adds the counts to those of the day. */
  write(day: Date, counts: ActivityOfDay[]): Promise<void>
  log: Log
  clock: Clock
  writeMs?: number
}

export function createActivityCounter({ write, log, clock, writeMs = WRITE_MS }: CounterOptions) {
  const isCrawler = createCrawlerCheck()
  let seen = new Set<string>()
  let counts = new Map<string, ActivityOfDay>()
  let day = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    seen = new Set()
    if (!counts.size) return writing
    // Rows are in id order, so that processes that write at the same time do not deadlock.
    const rows = [...counts.values()].sort((a, b) => (a.serverId < b.serverId ? -1 : 1))
    const at = new Date(day * DAY_MS)
    counts = new Map()
    writing = writing
      .then(() => write(at, rows))
      .catch((err: unknown) => {
        uncounted.inc(rows.reduce((sum, row) => sum + row.views + row.crawlerViews + row.copies + row.joins, 0))
        log.warn({ err, servers: rows.length }, 'views of servers not written')
      })
    return writing
  }

  return {
    /** Returns at once. An action that the same client repeats before the next write counts once. */
    count({ serverId, action, clientKey, userAgent }: VisitorAction): void {
      const today = Math.floor(clock() / DAY_MS)
      if (today !== day) void flush()
      day = today
      const key = `${clientKey} ${action} ${serverId}`
      if (seen.has(key)) return
      if (seen.size >= MAX_ACTIONS) {
        uncounted.inc()
        return
      }
      seen.add(key)
      const ofServer = counts.get(serverId) ?? { serverId, views: 0, crawlerViews: 0, copies: 0, joins: 0 }
      counts.set(serverId, ofServer)
      if (!isCrawler(userAgent)) ofServer[COLUMN[action]]++
      else if (action === 'view') ofServer.crawlerViews++
      timer ??= setTimeout(flush, writeMs).unref()
    },
    /** Writes what is counted. */
    stop: flush,
  }
}

/** Remembers the answer for each of the last headers: the list has hundreds of patterns. */
function createCrawlerCheck(): (userAgent: string | undefined) => boolean {
  const known = new LRUCache<string, boolean>({ max: 2_000 })
  return (userAgent) => {
    if (!userAgent || userAgent.length > MAX_USER_AGENT) return true
    const before = known.get(userAgent)
    if (before !== undefined) return before
    const is = isbot(userAgent)
    known.set(userAgent, is)
    return is
  }
}
