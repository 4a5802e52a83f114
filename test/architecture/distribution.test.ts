// Reads the catalog: tables that grow with polls and votes have the server in their keys, so that an engine that
// distributes rows by server can take them (docs/SCALING.md).
import fs from 'node:fs'
import { expect, it } from 'vitest'
import { createPool } from '../../src/platform/db/pool.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { createTestDatabase, testLog } from '../support/database.ts'

/** Distributed by `server_id` when one primary is not enough for history. */
const HISTORY = [
  'player_history_chunks',
  'player_history_daily',
  'player_history_hours',
  'player_history_months',
  'player_history_open',
  'player_history_recent',
  'player_history_unreadable',
]
/** Rows that come with votes. */
const VOTES = ['server_vote_months', 'vote_addresses', 'vote_cooldowns', 'vote_streaks', 'votes']
/**
 * Grow with listings and accounts, or belong to the feed, whose cursor is one primary's. A new table must be put
 * in one of the lists.
 */
const STAY = [
  'auction_offers',
  'bids',
  'endpoints',
  'favorite_alerts',
  'favorites',
  'notifications',
  'pending_notices',
  'placements',
  'player_history', // of release 0.1, empty
  'rcon_commands',
  'rcon_credentials',
  'reports',
  'server_activity',
  'server_claims',
  'server_counters',
  'server_faces',
  'server_invitations',
  'server_members',
  'server_polls',
  'server_status',
  'server_profiles',
  'server_subscriptions',
  'server_uptime',
  'server_wipe_signs',
  'vote_keys',
  'vote_reminders',
  'vote_reward_erasures',
  'vote_reward_settings',
  'vote_rewards',
  'vote_voiding_servers',
  'wipes',
]
/** Keys without the server, each with what would take its place. */
const WITHOUT_SERVER: Record<string, string> = {
  votes_pkey: 'ids are UUIDv7, and votes_server_id_number_key is unique too',
}

const { url } = await createTestDatabase()
const pool = createPool({ url, max: 1, applicationName: 'test', log: testLog })
atFileEnd(() => pool.end())

it('every table of a server is known to be distributed or to stay', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'server_id' and not attisdropped)
     order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual([...HISTORY, ...VOTES, ...STAY].sort())
})

it('every unique key of history and votes has the server', async () => {
  const { rows } = await pool.query<{ key: string; columns: string[] }>(
    `select indexrelid::regclass::text as key,
       array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey)) as columns
     from pg_index
     where indisunique and indrelid = any($1::regclass[])`,
    [[...HISTORY, ...VOTES]],
  )
  expect(rows.length).toBeGreaterThanOrEqual(HISTORY.length + VOTES.length)
  const without = rows.filter(({ columns }) => !columns.includes('server_id')).map(({ key }) => key)
  expect(without).toEqual(Object.keys(WITHOUT_SERVER))
})

it('no foreign key ties history to the primary', async () => {
  const { rows } = await pool.query(
    `select conname from pg_constraint where contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))`,
    [HISTORY],
  )
  expect(rows).toEqual([])
})

it('docs/SCALING.md names the tables of history and votes', () => {
  const document = fs.readFileSync('docs/SCALING.md', 'utf8')
  for (const table of [...HISTORY, ...VOTES, ...Object.keys(WITHOUT_SERVER)]) expect(document).toContain(`\`${table}\``)
})

it('alters a table of history in a migration of its own, because Citus sends the nodes the whole text of a migration', () => {
  const altered = new RegExp(`^(alter table|create( unique)? index .* on|drop index) ?(${HISTORY.join('|')})`, 'm')
  const texts = fs
    .globSync('prisma/migrations/*/migration.sql')
    .filter((file) => file > 'prisma/migrations/0042') // older ones run before history can be distributed
    .map((file) => fs.readFileSync(file, 'utf8').replaceAll(/--.*$/gm, ''))
  for (const text of texts.filter((text) => altered.test(text))) expect(text.trim()).toMatch(/^[^;]*;?$/)
})
