// Statements over the poll schedule (server_polls) and what polls see (server_status). All time is the database's.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { StoredProfile } from '../profiles/index.ts'
import type { WorldFingerprint } from '../wipes/index.ts'
import type { PollBatch } from './polling.jobs.ts'

export interface DueServer {
  serverId: string
  cycle: number
  /** How long after its due time its cycle began. */
  lagSeconds: number
}

/**
 * Begins the next cycle of up to `limit` due servers, longest due first, and moves their due time one interval ahead
 * (± 10 %, so that servers added together drift apart). Rows that another worker has locked are skipped, so workers
 * never wait or overlap.
 */
export async function beginDueCycles(
  db: Db,
  { limit, intervalSeconds }: { limit: number; intervalSeconds: number },
): Promise<DueServer[]> {
  const { rows } = await db.query<DueServer>({
    name: 'polling-begin-cycles',
    text: `
      with due as (
        select server_id, next_poll_at as due_at
        from server_polls
        where next_poll_at <= now()
        order by next_poll_at
        limit $1
        for update skip locked
      )
      update server_polls as poll
      set cycle = poll.cycle + 1,
        next_poll_at = now() + make_interval(secs => $2::float8 * (0.9 + 0.2 * random()))
      from due
      where poll.server_id = due.server_id
      returning poll.server_id as "serverId", poll.cycle, extract(epoch from now() - due_at)::float8 as "lagSeconds"`,
    values: [limit, intervalSeconds],
  })
  return rows
}

/** A server, and the cycle that its batch is for. */
type BatchServer = PollBatch['servers'][number]

export interface PollTarget {
  serverId: string
  cycle: number
  game: string
  /** IPv4 address, IPv6 address or DNS name. */
  ipAddress: string
  gamePort: number
  /** False: players connect without a port, so SRV records decide it. */
  gamePortGiven: boolean
  queryPort: number
  /** Where Bedrock players join a Minecraft server with both editions; empty: none. */
  bedrockAddress: string
  bedrockPort: number | null
  nameFromServer: boolean
  /** What the game server said about itself at earlier polls; null: nothing. */
  profile: StoredProfile | null
  /** The shown status. A server that is shown online gets more tries than one that is known to be down. */
  isOnline: boolean
  /** No poll has had a result since the server was listed, or its address, ports or game changed. */
  isFirst: boolean
  consecutiveFailures: number
  /** A source found it, and no account owns it. */
  isUnclaimed: boolean
}

/**
 * Those of a batch that are still to be polled: listed and not hidden, in this very cycle, without a written result.
 */
export async function findTargets(db: Db, { servers }: PollBatch): Promise<PollTarget[]> {
  const { rows } = await db.query<PollTarget>({
    name: 'polling-targets',
    text: `
      select poll.server_id as "serverId", poll.cycle, game, ip_address as "ipAddress", game_port as "gamePort",
        game_port_given as "gamePortGiven", query_port as "queryPort", bedrock_address as "bedrockAddress",
        bedrock_port as "bedrockPort", name_from_server as "nameFromServer", is_online as "isOnline",
        last_polled_at is null as "isFirst", consecutive_failures as "consecutiveFailures", profile, source is not null and owner_id is null as "isUnclaimed"
      from unnest($1::uuid[], $2::bigint[]) as batch (server_id, cycle)
      join server_polls as poll on poll.server_id = batch.server_id and poll.cycle = batch.cycle
      join server_status as status on status.server_id = batch.server_id and status.applied_cycle < batch.cycle
      join servers on servers.id = batch.server_id and servers.deleted_at is null and servers.hidden_at is null
      left join server_profiles as stored on stored.server_id = batch.server_id`,
    values: [servers.map(({ serverId }) => serverId), servers.map(({ cycle }) => cycle)],
  })
  return rows
}

export interface PollRules {
  intervalSeconds: number
  /** Failed cycles in a row after which a server is shown offline. */
  failuresToOffline: number
  /** Wait before a server that is still shown online but did not answer is asked again. */
  quickSeconds: number
  /** Longest wait between two polls of a server that is down. */
  maxBackoffSeconds: number
  /** How long after the next poll's due time the shown status still counts as fresh. */
  graceSeconds: number
}

export type PollResult = BatchServer & {
  /** Country of the address. Undefined keeps what is stored. */
  country?: string | undefined
  /** The server is not asked again before its next interval. */
  isUnclaimed?: boolean
} & (
    | {
        answered: true
        /** People, without `bots`. */
        players: number
        bots: number
        maxPlayers: number
        map: string
        version: string
        /** Null if the server does not report it. */
        hasPassword: boolean | null
        /** Which of a Minecraft server's editions answered, if it has both. */
        editions?: { java: boolean; bedrock: boolean | undefined }
        /** Undefined or null keeps what is stored. */
        queryMs?: number | null
        /** Tokens of pending claims that the server shows. */
        seenTokens?: readonly string[]
        /** Fingerprint of the world, if the game reports one. */
        fingerprint?: WorldFingerprint
      }
    | { answered: false }
  )

export interface AppliedResult {
  serverId: string
  answered: boolean
  /** The status as it is shown now; `players` and `maxPlayers` too. */
  isOnline: boolean
  /** Whether this very result changed `isOnline`. */
  statusChanged: boolean
  players: number
  maxPlayers: number
  /** One instant for the whole statement. */
  appliedAt: Date
}

/** Condition on a poll: it decides whether the server is online. */
const IS_DECIDED = '(answered or consecutive_failures + 1 >= $failuresToOffline::integer)'
/** Condition on a failed poll: the server is still shown online. */
const STAYS_ONLINE = '(is_online and consecutive_failures + 1 < $failuresToOffline::integer)'

/**
 * Writes results into server_status, each only where the row has not seen this cycle yet, so a batch done twice counts
 * once. A failure keeps what is shown until it is the `failuresToOffline`-th in a row; then the server is offline with
 * 0 players. Failed servers are due again after `quickSeconds` (unclaimed ones: after the interval) while still shown
 * online, else after an interval that doubles from the third failure on, up to `maxBackoffSeconds` and never below the
 * interval. `returning` has what was written.
 */
export async function updateStatuses(db: Db, results: PollResult[], rules: PollRules): Promise<AppliedResult[]> {
  const { rows } = await db.query<AppliedResult>(
    namedParameters({
      name: 'polling-apply',
      text: `
      with applied as (
        update server_status as status
        set is_online = answered or ${STAYS_ONLINE},
          online_changed_at = case
            when coalesce(online_before_move, is_online) <> (answered or ${STAYS_ONLINE})
              and (online_before_move is null or ${IS_DECIDED}) then now()
            else online_changed_at end,
          online_before_move = case when ${IS_DECIDED} then null else online_before_move end,
          current_players = case
            when answered then result.players
            when ${STAYS_ONLINE} then current_players
            else 0 end,
          current_bots = case
            when answered then result.bots
            when ${STAYS_ONLINE} then current_bots
            else 0 end,
          max_players = case when answered then result.max_players else status.max_players end,
          map = case when answered then result.map else status.map end,
          version = case when answered then result.version else status.version end,
          has_password = case when answered then result.has_password else status.has_password end,
          java_online = case
            when answered then result.java
            else java_online and ${STAYS_ONLINE} end,
          bedrock_online = case
            when answered then coalesce(result.bedrock, status.bedrock_online)
            else bedrock_online and ${STAYS_ONLINE} end,
          country = coalesce(result.country, status.country),
          query_ms = coalesce(result.query_ms, status.query_ms),
          consecutive_failures = case when answered then 0 else consecutive_failures + 1 end,
          last_polled_at = now(),
          last_online_at = case when answered then now() else last_online_at end,
          applied_cycle = result.cycle,
          -- until when the status counts as fresh: the next due time and the grace
          fresh_until = make_interval(secs => $graceSeconds::float8) + case
            when answered then poll.next_poll_at
            when ${STAYS_ONLINE}
              then now() + make_interval(secs => quick_seconds * (0.8 + 0.4 * random()))
            else now() + make_interval(secs => greatest($intervalSeconds::float8, least(
              $intervalSeconds::float8 * 2 ^ least(greatest(consecutive_failures + 1 - $failuresToOffline::integer, 0), 20) * (1 + 0.1 * random()),
              $maxBackoffSeconds::float8 * (0.9 + 0.1 * random()))))
            end
        from unnest($serverIds::uuid[], $cycles::bigint[], $answered::boolean[], $players::integer[], $bots::integer[],
          $maxPlayers::integer[], $maps::text[], $versions::text[], $passwords::boolean[], $java::boolean[],
          $bedrock::boolean[], $countries::text[], $queryMs::smallint[], $quickSeconds::float8[])
          as result (server_id, cycle, answered, players, bots, max_players, map, version, has_password, java, bedrock,
            country, query_ms, quick_seconds)
        join server_polls as poll on poll.server_id = result.server_id
        where status.server_id = result.server_id and status.applied_cycle < result.cycle
        returning status.server_id, result.cycle, answered, is_online, current_players, status.max_players,
          fresh_until - make_interval(secs => $graceSeconds::float8) as next_poll_at,
          -- a server's next result is a cycle away, so no earlier change has this instant
          coalesce(online_changed_at = now()::timestamptz(3), false) as status_changed
      ),
      moved as (
        update server_polls as poll
        set next_poll_at = applied.next_poll_at
        from applied
        where poll.server_id = applied.server_id and poll.cycle = applied.cycle and not answered
      )
      select server_id as "serverId", answered, is_online as "isOnline", status_changed as "statusChanged",
        current_players as players, max_players as "maxPlayers", now() as "appliedAt"
      from applied`,
      values: {
        serverIds: results.map(({ serverId }) => serverId),
        cycles: results.map(({ cycle }) => cycle),
        answered: results.map(({ answered }) => answered),
        players: results.map((result) => (result.answered ? result.players : 0)),
        bots: results.map((result) => (result.answered ? result.bots : 0)),
        maxPlayers: results.map((result) => (result.answered ? result.maxPlayers : 0)),
        passwords: results.map((result) => (result.answered ? result.hasPassword : null)),
        java: results.map((result) => (result.answered ? (result.editions?.java ?? null) : null)),
        bedrock: results.map((result) => (result.answered ? (result.editions?.bedrock ?? null) : null)),
        maps: results.map((result) => (result.answered ? result.map : '')),
        versions: results.map((result) => (result.answered ? result.version : '')),
        countries: results.map(({ country }) => country ?? null),
        queryMs: results.map((result) => (result.answered ? (result.queryMs ?? null) : null)),
        intervalSeconds: rules.intervalSeconds,
        failuresToOffline: rules.failuresToOffline,
        // of an unclaimed server at least the interval, whatever the jitter takes off
        quickSeconds: results.map(({ isUnclaimed }) =>
          isUnclaimed ? rules.intervalSeconds * 1.25 : rules.quickSeconds,
        ),
        maxBackoffSeconds: rules.maxBackoffSeconds,
        graceSeconds: rules.graceSeconds,
      },
    }),
  )
  return rows
}

/**
 * Makes servers whose cycle brought no result due again in `seconds` (± 20 %), unless a newer cycle has begun. Their
 * status stays as it is.
 */
export async function rescheduleUnpolled(db: Db, servers: BatchServer[], seconds: number): Promise<void> {
  if (!servers.length) return
  await db.query(
    `update server_polls as poll
     set next_poll_at = now() + make_interval(secs => $3::float8 * (0.8 + 0.4 * random()))
     from unnest($1::uuid[], $2::bigint[]) as batch (server_id, cycle)
     where poll.server_id = batch.server_id and poll.cycle = batch.cycle`,
    [servers.map(({ serverId }) => serverId), servers.map(({ cycle }) => cycle), seconds],
  )
}
