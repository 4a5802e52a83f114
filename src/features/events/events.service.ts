// Who hears of what happens to servers: their owners' endpoints, their owners and their subscribers.
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { type Notice, notify } from '../notifications/index.ts'
import { queueDeliveries, type ServerEvent } from '../webhooks/index.ts'
import { findFollowed, findHeardOf, waitForCommit } from './events.sql.ts'

/** What happened, with the data that docs/WEBHOOKS.md promises to endpoints. Instants in it are ISO 8601. */
export type Announcement = Omit<ServerEvent, 'type' | 'data'> &
  (
    | { type: 'server.online' | 'server.offline'; data: TurnData }
    | { type: 'server.wiped'; data: { serverId: string; serverName: string; wipedAt: string; kind: string } }
  )

interface TurnData {
  serverId: string
  serverName: string
  isOnline: boolean
  currentPlayers: number
  maxPlayers: number
  map: string
  at: string
}

const NOTICES = {
  'server.online': 'serverOnline',
  'server.offline': 'serverOffline',
  'server.wiped': 'serverWiped',
} as const

/**
 * Queues webhook deliveries and notifications in the transaction that makes the events true: call it once for each change.
 * Five statements at most, however many events there are.
 */
export async function announce(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  announcements: readonly Announcement[],
): Promise<void> {
  if (!announcements.length) return
  const queued = await queueDeliveries(tx, jobs, announcements)
  const followed = await findFollowed(tx, [...new Set(announcements.map(({ serverId }) => serverId))])
  const news = announcements.filter(({ serverId }) => followed.has(serverId)).map(toNotice)
  if (news.length) await jobs.enqueue(tx, notify, news)
  if (news.length || queued.length) await waitForCommit(tx)
}

function toNotice({ type, serverId, at, data }: Announcement): Notice {
  const plain = Object.entries(data).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return { event: NOTICES[type], at: at.toISOString(), serverId, data: Object.fromEntries(plain) as Notice['data'] }
}

/** A server that a poll's result has just turned from offline to online, or back. */
export interface Turn {
  serverId: string
  isOnline: boolean
  players: number
  maxPlayers: number
  appliedAt: Date
}

/** Announces `server.online` and `server.offline`, in the transaction that wrote the results. Asks for nothing when nothing turned, and once when nobody listens. */
export async function announceTurns(tx: Db, jobs: Pick<Jobs, 'enqueue'>, turns: readonly Turn[]): Promise<void> {
  if (!turns.length) return
  const servers = await findHeardOf(
    tx,
    turns.map(({ serverId }) => serverId),
  )
  const heardOf = new Map(servers.map((server) => [server.serverId, server]))
  await announce(
    tx,
    jobs,
    turns.flatMap(({ serverId, isOnline, players, maxPlayers, appliedAt }) => {
      const server = heardOf.get(serverId)
      if (!server) return []
      const data: TurnData = {
        serverId,
        serverName: server.name,
        isOnline,
        currentPlayers: players,
        maxPlayers,
        map: server.map,
        at: appliedAt.toISOString(),
      }
      return [{ type: isOnline ? 'server.online' : 'server.offline', serverId, at: appliedAt, data } as const]
    }),
  )
}
