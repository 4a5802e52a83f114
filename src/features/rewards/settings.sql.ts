// SQL, because commands are valid only while the server keeps the owner for whom they were set, which spans tables.
import type { Db, Sql } from '../../platform/db/pool.ts'
import type { Transfer } from '../servers/index.ts'
import type { RewardOccasion } from './rewards.schema.ts'

export interface RewardSettings {
  runOn: RewardOccasion
  commands: string[]
  setBy: string
  /** Since when no command is sent; null if an RCON password was set since. */
  stoppedAt: Date | null
  /** Attempts that sent nothing since the last login; none if the settings or the RCON password were set since. */
  failures: number
  /** When the next attempt may begin at the earliest; null without failures. */
  retryAt: Date | null
  /** Whether that is in the future. */
  isPostponed: boolean
  /** Whether the last of them ended because the game server closed the connection during the login. */
  closedAtLogin: boolean
  updatedAt: Date
}

/** An attempt at sending a server's reward that sent nothing. */
export interface FailedAttempt {
  serverId: string
  startedAt: Date
  closedAtLogin: boolean
  /** With this one. */
  failures: number
}

/** SQL: 30 s after the start of the first attempt that failed, and each time twice as long, but at most ten minutes. */
const RETRY_AT = `settings.failed_at + least(interval '10 minutes', interval '30 seconds' * 2 ^ (least(settings.failures, 10) - 1))`

/** The settings of the server's current owner. @returns undefined if there are none, or if the owner is banned */
export async function findRewardSettings(db: Db, serverId: string): Promise<RewardSettings | undefined> {
  const { rows } = await db.query<RewardSettings>(
    `select run_on as "runOn", commands, set_by as "setBy", settings.updated_at as "updatedAt",
       case when coalesce(rcon.updated_at <= stopped_at, true) then stopped_at end as "stoppedAt",
       coalesce(failing.failures, 0) as failures, retry_at as "retryAt", coalesce(retry_at > clock_timestamp(), false) as "isPostponed",
       coalesce(failing.closed_at_login, false) as "closedAtLogin"
     from vote_reward_settings as settings
     join servers on servers.id = settings.server_id and servers.owner_id is not distinct from settings.owner_id
     left join users on users.id = servers.owner_id
     left join rcon_credentials as rcon
       on rcon.server_id = settings.server_id and rcon.owner_id is not distinct from servers.owner_id
     left join lateral (
       select settings.failures, settings.closed_at_login, ${RETRY_AT} as retry_at
       where settings.updated_at <= settings.failed_at and coalesce(rcon.updated_at <= settings.failed_at, true)) as failing on true
     where settings.server_id = $1 and deleted_at is null and banned_at is null`,
    [serverId],
  )
  return rows[0]
}

/** Keeps other rewards of the server from being started until the transaction ends. */
export async function lockRewardSettings(db: Db, serverId: string): Promise<void> {
  await db.query('select from vote_reward_settings where server_id = $1 for no key update', [serverId])
}

/**
 * Sets the commands for the server's current owner, and lets them run again if they were stopped. The
 * server must be locked.
 */
export async function upsertRewardSettings(
  db: Db,
  { serverId, setBy, runOn, commands }: Pick<RewardSettings, 'setBy' | 'runOn' | 'commands'> & { serverId: string },
): Promise<void> {
  await db.query(
    `insert into vote_reward_settings (server_id, owner_id, set_by, run_on, commands)
     select id, owner_id, $2, $3, $4 from servers where id = $1
     on conflict (server_id) do update
     set owner_id = excluded.owner_id, set_by = excluded.set_by, run_on = excluded.run_on, commands = excluded.commands,
       stopped_at = null, updated_at = now()`,
    [serverId, setBy, runOn, commands],
  )
}

/** Postpones the server's rewards. Call it with `lockRewardSettings`. */
export async function recordFailure(db: Db, attempt: FailedAttempt): Promise<void> {
  await db.query(
    `update vote_reward_settings set failures = $2, failed_at = $3, closed_at_login = $4 where server_id = $1`,
    [attempt.serverId, attempt.failures, attempt.startedAt, attempt.closedAtLogin],
  )
}

/** After a login: the server's rewards run at once again. */
export async function clearFailures(db: Db, serverId: string): Promise<void> {
  await db.query(
    `update vote_reward_settings set failures = 0, failed_at = null, closed_at_login = false where server_id = $1 and failures > 0`,
    [serverId],
  )
}

/** Keeps the commands of `from` valid for the server's next owner. Call it before the server changes owners. */
export async function transferRewardSettings(db: Db, { serverId, from, to }: Transfer): Promise<void> {
  await db.query('update vote_reward_settings set owner_id = $3 where server_id = $1 and owner_id = $2', [
    serverId,
    from,
    to,
  ])
}

/** @returns whether they existed */
export async function deleteRewardSettings(db: Db, serverId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from vote_reward_settings where server_id = $1', [serverId])
  return rowCount === 1
}

/**
 * Runs no more commands until the settings or the RCON password are set again, which also counts if it was done since
 * this reward was started.
 * @returns the owner for whom they ran; undefined if they were set again
 */
export async function stopRewards(db: Db, voteId: string): Promise<{ ownerId: string | null } | undefined> {
  const { rows } = await db.query<{ ownerId: string | null }>(
    `update vote_reward_settings as settings set stopped_at = started_at
     from vote_rewards as reward
     where vote_id = $1 and settings.server_id = reward.server_id and updated_at <= started_at
     returning settings.owner_id as "ownerId"`,
    [voteId],
  )
  return rows[0]
}

/** Deletes settings of servers that were removed or have another owner. @returns how many */
export async function deleteInvalidRewardSettings(db: Sql): Promise<number> {
  const { rowCount } = await db.query(
    `delete from vote_reward_settings as settings using servers
     where servers.id = settings.server_id
       and (deleted_at is not null or servers.owner_id is distinct from settings.owner_id)`,
  )
  return rowCount ?? 0
}
