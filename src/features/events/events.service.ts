// Server events go to the owner's webhook endpoint, and as notifications to the owner and the subscribers.
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { type Notice, notify } from '../notifications/index.ts'
import { queueDeliveries, type ServerEvent } from '../webhooks/index.ts'
import { findFollowed, findObserved, waitForCommit } from './events.sql.ts'

/** An event with the data that docs/WEBHOOKS.md specifies. Timestamps in it are ISO 8601. */
export type Announcement = Omit<ServerEvent, 'type' | 'data'> &
  (
    | { type: 'server.online' | 'server.offline'; data: StatusData }
    | { type: 'server.wiped'; data: { serverId: string; serverName: string; wipedAt: string; kind: string } }
  )

interface StatusData {
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
 * Queues webhook deliveries and notifications in the transaction of the change: call it once for each change.
 * Runs at most five statements, whatever the number of events.
 */
export async function announce(tx: Db, jobs: JobQueue, announcements: readonly Announcement[]): Promise<void> {
  if (!announcements.length) return
  const queued = await queueDeliveries(tx, jobs, announcements)
  const followed = await findFollowed(tx, [...new Set(announcements.map(({ serverId }) => serverId))])
  const notices = announcements.filter(({ serverId }) => followed.has(serverId)).map(toNotice)
  if (notices.length) await jobs.enqueue(tx, notify, notices)
  if (notices.length || queued.length) await waitForCommit(tx)
}

function toNotice({ type, serverId, at, data }: Announcement): Notice {
  const plain = Object.entries(data).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return { event: NOTICES[type], at: at.toISOString(), serverId, data: Object.fromEntries(plain) as Notice['data'] }
}

/** A change of a server from offline to online, or back, by a poll's result. */
export interface StatusChange {
  serverId: string
  isOnline: boolean
  players: number
  maxPlayers: number
  appliedAt: Date
}

/**
 * Announces `server.online` and `server.offline` in the transaction that wrote the results. Runs no statement if
 * nothing changed, and one if no changed server has an owner, endpoint or subscriber.
 */
export async function announceStatusChanges(tx: Db, jobs: JobQueue, changes: readonly StatusChange[]): Promise<void> {
  if (!changes.length) return
  const servers = await findObserved(
    tx,
    changes.map(({ serverId }) => serverId),
  )
  const observed = new Map(servers.map((server) => [server.serverId, server]))
  await announce(
    tx,
    jobs,
    changes.flatMap(({ serverId, isOnline, players, maxPlayers, appliedAt }) => {
      const server = observed.get(serverId)
      if (!server) return []
      const data: StatusData = {
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
