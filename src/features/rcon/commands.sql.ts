// Statements on commands under way. Each is begun once and settled once, whoever tries; all times are the database's.
import type { Db } from '../../platform/db/pool.ts'
import type { Outcome } from './outcomes.ts'

export interface NewCommand {
  id: string
  serverId: string
  actorId: string
  /** Sealed. */
  command: string
  limitMs: number
}

/** @returns false when another command to the server is under way (the partial unique index decides) */
export async function insertCommand(db: Db, { id, serverId, actorId, command, limitMs }: NewCommand): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into rcon_commands (id, server_id, actor_id, command, created_at, expires_at)
     values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + make_interval(secs => $5::float8 / 1000))
     on conflict (server_id) where settled_at is null do nothing`,
    [id, serverId, actorId, command, limitMs],
  )
  return rowCount === 1
}

export interface BegunCommand {
  serverId: string
  /** Sealed. */
  command: string
  msLeft: number
}

/** Takes a command for this worker. @returns undefined when it is taken, settled, past its time, or its sender is banned by now */
export async function beginCommand(db: Db, id: string): Promise<BegunCommand | undefined> {
  const { rows } = await db.query<BegunCommand>(
    `update rcon_commands set started_at = now()
     where id = $1 and started_at is null and settled_at is null and expires_at > now()
       and not exists (select from users where users.id = actor_id and banned_at is not null)
     returning server_id as "serverId", command, extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "msLeft"`,
    [id],
  )
  return rows[0]
}

export interface SettledCommand {
  serverId: string
  actorId: string
  /** Sealed. */
  command: string
  outcome: Outcome
}

/** Notes how a command ended. @param response sealed. @returns undefined when that is noted already */
export async function settleCommand(
  db: Db,
  { id, outcome, response }: { id: string; outcome: Outcome; response: string | null },
): Promise<SettledCommand | undefined> {
  const { rows } = await db.query<SettledCommand>(
    `update rcon_commands set settled_at = now(), outcome = $2, response = $3
     where id = $1 and settled_at is null
     returning server_id as "serverId", actor_id as "actorId", command, outcome`,
    [id, outcome, response],
  )
  return rows[0]
}

/** Settles commands whose time is over. @param serverId of one server only; null: of all */
export async function settleExpired(db: Db, serverId: string | null): Promise<SettledCommand[]> {
  const { rows } = await db.query<SettledCommand>(
    `update rcon_commands
     set settled_at = now(), outcome = case when started_at is null then 'unserved' else 'lost' end
     where settled_at is null and expires_at <= now() and ($1::uuid is null or server_id = $1)
     returning server_id as "serverId", actor_id as "actorId", command, outcome`,
    [serverId],
  )
  return rows
}

/** Takes a settled command out. @returns undefined while it is not settled */
export async function takeSettled(
  db: Db,
  id: string,
): Promise<{ outcome: Outcome; response: string | null } | undefined> {
  const { rows } = await db.query<{ outcome: Outcome; response: string | null }>({
    name: 'rcon-take-settled',
    text: 'delete from rcon_commands where id = $1 and settled_at is not null returning outcome, response',
    values: [id],
  })
  return rows[0]
}

/** Answers that nobody fetched: their process went away. @returns how many */
export async function deleteForgotten(db: Db, afterSeconds: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from rcon_commands where settled_at < now() - make_interval(secs => $1)',
    [afterSeconds],
  )
  return rowCount ?? 0
}
