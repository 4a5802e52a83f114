// SQL, because races decide: each command is started once and completed once. All times are the database's.
import type { Db } from '../../platform/db/pool.ts'
import type { Outcome } from './outcomes.ts'

/**
 * @param given.command encrypted
 * @returns false if another command to the server is running (a partial unique index decides)
 */
export async function insertCommand(
  db: Db,
  given: { id: string; serverId: string; actorId: string; command: string; limitMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into rcon_commands (id, server_id, actor_id, command, created_at, expires_at)
     values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + make_interval(secs => $5::float8 / 1000))
     on conflict (server_id) where settled_at is null do nothing`,
    [given.id, given.serverId, given.actorId, given.command, given.limitMs],
  )
  return rowCount === 1
}

/**
 * Starts a command.
 * @returns it, encrypted, and how long until it expires; undefined if it was started or completed before, has expired,
 * or its sender is banned
 */
export async function startCommand(db: Db, id: string) {
  const { rows } = await db.query<{ serverId: string; command: string; timeoutMs: number }>(
    `update rcon_commands set started_at = now()
     where id = $1 and started_at is null and settled_at is null and expires_at > now()
       and not exists (select from users where users.id = actor_id and banned_at is not null)
     returning server_id as "serverId", command, extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "timeoutMs"`,
    [id],
  )
  return rows[0]
}

export interface CompletedCommand {
  serverId: string
  actorId: string
  /** Encrypted. */
  command: string
  outcome: Outcome
}

/** Records how a command ended. @param response encrypted. @returns undefined if that is recorded already */
export async function completeCommand(
  db: Db,
  { id, outcome, response }: { id: string; outcome: Outcome; response: string | null },
): Promise<CompletedCommand | undefined> {
  const { rows } = await db.query<CompletedCommand>(
    `update rcon_commands set settled_at = now(), outcome = $2, response = $3
     where id = $1 and settled_at is null
     returning server_id as "serverId", actor_id as "actorId", command, outcome`,
    [id, outcome, response],
  )
  return rows[0]
}

/** Completes expired commands. @param serverId of one server only */
export async function completeExpired(db: Db, serverId?: string): Promise<CompletedCommand[]> {
  const { rows } = await db.query<CompletedCommand>(
    `update rcon_commands
     set settled_at = now(), outcome = case when started_at is null then 'unserved' else 'lost' end
     where settled_at is null and expires_at <= now() and ($1::uuid is null or server_id = $1)
     returning server_id as "serverId", actor_id as "actorId", command, outcome`,
    [serverId],
  )
  return rows
}

/** Deletes a completed command. @returns undefined while it is not completed */
export async function collectCompleted(
  db: Db,
  id: string,
): Promise<{ outcome: Outcome; response: string | null } | undefined> {
  const { rows } = await db.query<{ outcome: Outcome; response: string | null }>({
    name: 'rcon-take-completed',
    text: 'delete from rcon_commands where id = $1 and settled_at is not null returning outcome, response',
    values: [id],
  })
  return rows[0]
}

/** Deletes answers that were never collected, because the process that waited has ended. @returns how many */
export async function deleteUncollected(db: Db, afterSeconds: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from rcon_commands where settled_at < now() - make_interval(secs => $1)',
    [afterSeconds],
  )
  return rowCount ?? 0
}
