// The text of a message: one line for each event of a server or auction, as of when the message is written.
import type { PendingNotice } from './digests.sql.ts'
import { describeNotice, subjectOf } from './events.ts'

/** Longer messages are not read. */
const MAX_LINES = 30

export interface DigestText {
  subject: string
  lines: string[]
  /** Those that the lines are about. */
  servers: { id: string; name: string }[]
}

/**
 * @param pending oldest first
 * @returns undefined if nothing is left to report
 */
export function digestText(pending: PendingNotice[]): DigestText | undefined {
  const byTopic = Map.groupBy(pending, ({ topic }) => topic)
  const all = [...byTopic.values()].flatMap((ofTopic) => [
    ...availabilityLine(ofTopic),
    ...ofTopic
      .filter(({ event }) => event !== 'serverOffline' && event !== 'serverOnline')
      .map((notice) => describeNotice(notice.event, notice).message),
  ])
  const [first] = all
  if (first === undefined) return undefined
  const more = all.length - MAX_LINES
  return {
    subject: all.length === 1 ? first.replace(/\.$/, '') : `${all.length} events of your servers and auctions`,
    lines: more > 0 ? [...all.slice(0, MAX_LINES), `And ${more} more.`] : all,
    servers: [...new Map(pending.map(({ serverId, data }) => [serverId, subjectOf(data)]))]
      .flatMap(([id, name]) => (id ? [{ id, name: name || 'A server' }] : []))
      .slice(0, MAX_LINES),
  }
}

/** Offline and online notices of one server as one line; none if its state is the same as before. */
function availabilityLine(ofTopic: PendingNotice[]): string[] {
  const offline = ofTopic.find(({ event }) => event === 'serverOffline')
  const online = ofTopic.find(({ event }) => event === 'serverOnline')
  const latest = [offline, online].filter((notice) => notice !== undefined)
  const [some] = latest.sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime())
  if (!some) return []
  const isOnline = some.isOnline ?? some.event === 'serverOnline'
  const went = offline?.repeats ?? 0
  const name = subjectOf(some.data) || 'A server'
  if (went > 1) return [`${name} went offline ${went} times and is ${isOnline ? 'online' : 'offline'} now.`]
  // Offline and back, or online and gone again: the state is as last reported.
  const startedOnline = went > 0 && !(online && offline && online.firstAt < offline.firstAt)
  if (startedOnline === isOnline) return []
  return [isOnline ? `${name} is online again.` : `${name} went offline.`]
}
