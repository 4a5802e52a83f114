// Status messages: which are due, their leases, and what became of attempts. SQL: leases, sets, and
// the database's clock.
import { namedParameters } from '../../../platform/db/named-parameters.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from '../endpoints.store.ts'
import type { StatusFacts } from './embed.ts'

/** Longer than an attempt (10 s) and its recording take. Messages of a killed worker wait this long. */
const LEASE_SECONDS = 30
/** Minimum time between two edits of a message. */
export const EDIT_SECONDS = 60
/** All workers together; Discord allows an address 50. */
const MAX_PER_SECOND = 40
/** Advisory lock of those who lease messages; the number is arbitrary but unique. */
const LEASING_LOCK = 727_073_694

/** What a message shows, as a hash: of the status, the listing, and the hour up to which the line of the day goes. */
const SHOWN = `md5(row(servers.name, servers.game, servers.ip_address, servers.game_port, servers.game_port_given, is_online,
  current_players, status.max_players, map, (select rolled_to from player_history_progress))::text)`

export async function insertMessage(db: Db, endpointId: string, webhookId: string): Promise<void> {
  await db.query('insert into discord_messages (endpoint_id, webhook_id) values ($1, $2)', [endpointId, webhookId])
}

/**
 * The owner has saved the endpoint: its message is due. An attempt that is running keeps its lease, unless the
 * endpoint moves to another webhook, where it gets a message of its own. A creation whose worker ended is given up
 * first: there may be a message.
 * @param options.mayCreateAgain the endpoint was disabled, with this reason, because the creation is unconfirmed
 */
export async function resumeMessage(
  db: Db,
  endpointId: string,
  webhookId: string,
  { isMoved, mayCreateAgain }: { isMoved: boolean; mayCreateAgain: boolean },
): Promise<void> {
  await db.query(
    `update discord_messages
     set webhook_id = $2, due_at = now(), shown = null, error = null, creation_id = null, lease_id = null, leased_until = null,
       message_id = case when $3 then null else message_id end
     where endpoint_id = $1
       and ($3 or ((leased_until is null or leased_until < clock_timestamp()) and ($4 or creation_id is null)))`,
    [endpointId, webhookId, isMoved, mayCreateAgain],
  )
}

/**
 * Ids of endpoints whose message shows something else than its server does and may be edited again: one for each
 * webhook, so that messages of one webhook follow each other.
 */
export async function findDueMessages(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'discord-messages-due',
    text: `
      with due as (
        select distinct on (webhook_id) endpoint_id, due_at
        from discord_messages as message
        join endpoints on endpoints.id = endpoint_id and disabled_at is null
        join servers on servers.id = endpoints.server_id and deleted_at is null and hidden_at is null
        join server_status as status on status.server_id = servers.id
        where due_at <= clock_timestamp() and (message.leased_until is null or message.leased_until < clock_timestamp())
          and creation_id is null and shown is distinct from ${SHOWN} and not ${IS_OWNER_BANNED}
          and not exists (select from discord_pauses where scope in (webhook_id, 'global') and until > clock_timestamp())
        order by webhook_id, due_at
      )
      select endpoint_id as id from due order by due_at limit $1`,
    values: [MAX_PER_SECOND],
  })
  return rows.map(({ id }) => id)
}

export interface LeasedMessage extends StatusFacts {
  endpointId: string
  /** The webhook's URL as stored. */
  storedUrl: string
  webhookId: string
  /** Null: it is to be created. */
  messageId: string | null
  shown: string
}

/**
 * Leases messages for one worker, as many as all workers together may send within a second. The lease of one that is to
 * be created records this intent too: after the commit it is created by this attempt or by none.
 */
export async function leaseMessages(tx: Db, endpointIds: string[], leaseId: string): Promise<LeasedMessage[]> {
  // Counting and leasing must not overlap that of another worker; a statement sees what was committed before it began.
  await tx.query('select pg_advisory_xact_lock($1)', [LEASING_LOCK])
  const { rows } = await tx.query<LeasedMessage>({
    name: 'discord-messages-lease',
    text: `
      with free as (
        select endpoint_id from discord_messages
        where endpoint_id = any($1::uuid[]) and due_at <= clock_timestamp() and creation_id is null
          and (leased_until is null or leased_until < clock_timestamp())
        order by due_at
        limit greatest(0, $3 - (select count(*) from discord_messages where sent_at > clock_timestamp() - interval '1 second'))
        for update skip locked
      ),
      leased as (
        update discord_messages as message
        -- what it shows is unknown until the outcome is recorded, also if the worker is killed
        set shown = null, lease_id = $2, leased_until = clock_timestamp() + make_interval(secs => $4),
          sent_at = clock_timestamp(), creation_id = case when message_id is null then $2::uuid end
        from free
        where message.endpoint_id = free.endpoint_id
        returning message.endpoint_id, webhook_id, message_id
      )
      select endpoint_id as "endpointId", webhook_id as "webhookId", message_id as "messageId", url as "storedUrl", ${SHOWN} as shown,
        servers.id as "serverId", servers.name, servers.game, servers.ip_address as "ipAddress", servers.game_port as "gamePort",
        servers.game_port_given as "gamePortGiven", is_online as "isOnline", current_players as players,
        status.max_players as "maxPlayers", map
      from leased
      join endpoints on endpoints.id = endpoint_id
      join servers on servers.id = endpoints.server_id
      join server_status as status on status.server_id = servers.id`,
    values: [endpointIds, leaseId, MAX_PER_SECOND, LEASE_SECONDS],
  })
  return rows
}

export interface MessageUpdate {
  endpointId: string
  leaseId: string
  /** Null: there is none, so the next attempt creates one. */
  messageId: string | null
  /** Null: what it shows is not known. */
  shown: string | null
  isEdited: boolean
  error: string | null
  /**
   * Wait until the next attempt; null: longer, the longer the endpoint has been failing, up to a quarter of an hour.
   */
  waitSeconds: number | null
}

/** Ends the lease. @returns false if the lease is no longer this attempt's: the owner has set another webhook */
export async function endAttempt(db: Db, update: MessageUpdate): Promise<boolean> {
  const { rowCount } = await db.query(
    namedParameters({
      name: 'discord-messages-end',
      text: `
      update discord_messages as message
      set message_id = $messageId, shown = $shown, creation_id = null, lease_id = null, leased_until = null,
        edited_at = case when $isEdited then now() else edited_at end, error = $error,
        due_at = now() + make_interval(secs => coalesce($waitSeconds::float8,
          (select greatest($editSeconds::float8, least(extract(epoch from now() - coalesce(failing_since, now()))::float8, 900))
           from endpoints where endpoints.id = endpoint_id)))
      where endpoint_id = $endpointId and lease_id = $leaseId`,
      values: { ...update, editSeconds: EDIT_SECONDS },
    }),
  )
  return rowCount === 1
}

/** Ends the lease of a creation whose outcome is unknown. `creation_id` stays, so that no other is sent. */
export async function endUnconfirmed(
  db: Db,
  { endpointId, leaseId, error }: { endpointId: string; leaseId: string; error: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update discord_messages set leased_until = null, error = $3 where endpoint_id = $1 and lease_id = $2',
    [endpointId, leaseId, error],
  )
  return rowCount === 1
}

const IS_ABANDONED =
  'creation_id is not null and (message.leased_until is null or message.leased_until < clock_timestamp())'

/** Enabled endpoints whose message was being created by a worker that was killed, or could not record the outcome. */
export async function findAbandonedCreations(db: Db): Promise<{ endpointId: string; storedUrl: string }[]> {
  const { rows } = await db.query<{ endpointId: string; storedUrl: string }>({
    name: 'discord-messages-abandoned',
    text: `
      select endpoint_id as "endpointId", url as "storedUrl"
      from discord_messages as message join endpoints on endpoints.id = endpoint_id
      where ${IS_ABANDONED} and disabled_at is null
      order by endpoint_id
      limit 100`,
  })
  return rows
}

/** Ends the lease of such a creation. @returns false if its outcome has been recorded since */
export async function endAbandoned(db: Db, endpointId: string, error: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update discord_messages as message set leased_until = null, error = coalesce(error, $2)
     where endpoint_id = $1 and ${IS_ABANDONED}`,
    [endpointId, error],
  )
  return rowCount === 1
}

/** @param scope a webhook's id, or `global` */
export async function pause(db: Db, scope: string, seconds: number): Promise<void> {
  await db.query(
    `insert into discord_pauses (scope, until) values ($1, now() + make_interval(secs => $2))
     on conflict (scope) do update set until = greatest(discord_pauses.until, excluded.until)`,
    [scope, seconds],
  )
}
