// The text of a message: one line for each event of a server or auction, as of when the message is written.
import type { PendingNotice } from './digests.sql.ts'
import { actionPaths, describeNotice, type NoticeEvent, subjectOf, URGENT_EVENTS } from './events.ts'

const AVAILABILITY_EVENTS: readonly NoticeEvent[] = ['serverOffline', 'serverOnline']
const LEAD_EVENTS: readonly NoticeEvent[] = ['auctionOutbid', 'auctionLeadRegained']

/** Longer messages are not read. */
const MAX_LINES = 30

export interface DigestLine {
  text: string
  /** Where the recipient acts on it. */
  paths?: ReturnType<typeof actionPaths>
}

export interface DigestText {
  subject: string
  lines: DigestLine[]
  /** Those that the lines are about. */
  servers: { id: string; name: string }[]
  auctions: { title: string; paths: NonNullable<DigestLine['paths']> }[]
  /** Alerts that fired, which the recipient can end. */
  alerts: { id: string; title: string }[]
}

/**
 * @param all oldest first; in the text those that are urgent precede the others
 * @returns undefined if nothing is left to report
 */
export function digestText(all: PendingNotice[]): DigestText | undefined {
  const wanted = all.filter(({ isWanted }) => isWanted)
  const topics = [...Map.groupBy(wanted, ({ topic }) => topic).values()]
    .map((notices) => ({ notices, lines: linesOf(notices) }))
    .filter(({ lines }) => lines.length)
    // Longer messages are cut, and of these the recipient must learn in time.
    .toSorted((a, b) => Number(isUrgent(b.notices)) - Number(isUrgent(a.notices)))
  const pending = topics.flatMap(({ notices }) => notices)
  const lines = topics.flatMap((topic) => topic.lines)
  const [first] = lines
  if (first === undefined) return undefined
  const more = lines.length - MAX_LINES
  return {
    subject: lines.length === 1 ? first.text.replace(/\.$/, '') : `${lines.length} events of your servers and auctions`,
    lines: more > 0 ? [...lines.slice(0, MAX_LINES), { text: `And ${more} more.` }] : lines,
    servers: [...new Map(pending.map(({ serverId, data }) => [serverId, subjectOf(data)]))]
      .flatMap(([id, name]) => (id ? [{ id, name: name || 'A server' }] : []))
      .slice(0, MAX_LINES),
    auctions: [...new Map(pending.map(({ event, data }) => [data.auctionId, { event, data }]))]
      .flatMap(([id, { event, data }]) => {
        const paths = id !== undefined && actionPaths(event, data)
        return paths ? [{ title: subjectOf(data) || 'An auction', paths }] : []
      })
      .slice(0, MAX_LINES),
    alerts: pending
      .flatMap(({ event, data, repeats, alertId }) =>
        alertId === null ? [] : [{ id: alertId, title: describeNotice(event, { data, repeats }).title }],
      )
      .slice(0, MAX_LINES),
  }
}

const isUrgent = (ofTopic: PendingNotice[]) => ofTopic.some(({ event }) => URGENT_EVENTS.includes(event))

const linesOf = (ofTopic: PendingNotice[]): DigestLine[] => [
  ...availabilityLine(ofTopic),
  ...leadLine(ofTopic),
  ...ofTopic.filter(({ event }) => !AVAILABILITY_EVENTS.includes(event) && !LEAD_EVENTS.includes(event)).map(lineOf),
]

const lineOf = (notice: PendingNotice): DigestLine => ({
  text: describeNotice(notice.event, notice).message,
  paths: actionPaths(notice.event, notice.data),
})

/** Offline and online notices of one server as one line; none if its state is the same as before. */
function availabilityLine(ofTopic: PendingNotice[]): DigestLine[] {
  const offline = ofTopic.find(({ event }) => event === 'serverOffline')
  const online = ofTopic.find(({ event }) => event === 'serverOnline')
  const latest = [offline, online].filter((notice) => notice !== undefined)
  const [some] = latest.sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime())
  if (!some) return []
  const isOnline = some.isOnline ?? some.event === 'serverOnline'
  const went = offline?.repeats ?? 0
  const name = subjectOf(some.data) || 'A server'
  if (went > 1) return [{ text: `${name} went offline ${went} times and is ${isOnline ? 'online' : 'offline'} now.` }]
  // Offline and back, or online and gone again: the state is as last reported.
  const startedOnline = went > 0 && !(online && offline && online.firstAt < offline.firstAt)
  if (startedOnline === isOnline) return []
  return [{ text: isOnline ? `${name} is online.` : `${name} went offline.` }]
}

/** Whether the recipient leads one auction, as last reported. */
function leadLine(ofTopic: PendingNotice[]): DigestLine[] {
  const [latest] = ofTopic
    .filter(({ event }) => LEAD_EVENTS.includes(event))
    .sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime())
  return latest ? [lineOf(latest)] : []
}
