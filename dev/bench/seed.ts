// Directories to measure: names, places and numbers are distributed as in a real one, and the same for the same seed.
import { createServers } from '../../src/features/servers/index.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { seededRandom } from '../simulator/fleet.ts'

export interface Target {
  name: string
  ipAddress: string
  queryPort: number
}

export const MAPS = [
  'TheIsland',
  'Ragnarok',
  'Aberration',
  'Extinction',
  'Genesis',
  'Valguero',
  'CrystalIsles',
  'Fjordur',
]
export const GAMES = [
  'ase',
  'asa',
  'rust',
  'minecraft',
  'valheim',
  'dayz',
  'garrysmod',
  'counterstrike2',
  'arma3',
  'sdtd',
]
export const COUNTRIES = ['DE', 'US', 'FR', 'GB', 'BR', 'RU', 'PL', 'JP', 'AU', 'CA', 'NL', 'SE', 'ZA', 'SG', 'CN', '']
export const REGIONS = ['Europe', 'North America', 'South America', 'Asia', 'Oceania', 'Africa']
export const TAGS = [
  'vanilla',
  'modded',
  'roleplay',
  'hardcore',
  'casual',
  'cluster',
  'boosted',
  'events',
  'crossplay',
  'solo',
]
export const MODES = ['PvP', 'PvE', 'PvPvE'] as const
export const SYLLABLES =
  'ka ro mi ta sen dor val bri gor nim zul tha rex lor pan fel dra quin hos wyn mar tek ula jor ost ira nox pel gra bel sun ice war storm land haven craft world fire iron'.split(
    ' ',
  )

/**
 * Adds servers with 200-character descriptions, players and votes until the directory has `count`;
 * a tenth with an icon.
 */
export async function seedDirectory(pool: Pool, count: number): Promise<void> {
  const { rows } = await pool.query<{ have: number }>('select count(*) as have from servers')
  const have = rows[0]?.have ?? 0
  const random = seededRandom(have + 1)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const word = () => Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(SYLLABLES)).join('')
  const capital = (text: string) => text[0]?.toUpperCase() + text.slice(1)
  const servers = createServers({ pool })
  const CHUNK = 10_000
  for (let start = have; start < count; start += CHUNK) {
    const size = Math.min(CHUNK, count - start)
    await servers.addMany(
      Array.from({ length: size }, (_, offset) => {
        const n = start + offset
        const rate = 1 + Math.floor(random() * 20) / 2
        return {
          name: `${capital(word())} ${capital(word())} ${pick(['PvP', 'PvE', 'x5', 'Official', 'Cluster', 'EU', 'US'])} ${n % 997}`,
          description: `${word()} `.repeat(40).slice(0, 200),
          ipAddress: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
          queryPort: 27015,
          gamePort: 7777,
          gameMode: pick(MODES),
          region: pick(REGIONS),
          tags: [...new Set([pick(TAGS), pick(TAGS), pick(TAGS)])].join(','),
          rates: `xp:${rate},harvest:${rate * 2},taming:${rate + 3}`,
          mods: 'StackSize,Structures',
          game: pick(GAMES),
          website: 'https://example.com',
        }
      }),
    )
  }
  await pool.query(
    `update server_status set is_online = h % 10 < 8, max_players = 70, current_players = case when h % 10 < 8 then h % 71 else 0 end,
       map = ($1::text[])[1 + h % cardinality($1::text[])], country = ($2::text[])[1 + h / 71 % cardinality($2::text[])],
       version = '361.7', last_polled_at = now(), fresh_until = now() + interval '1 day'
     from (select server_id as id, abs(hashtext(server_id::text)) as h from server_status) as hashed
     where server_id = id and last_polled_at is null`,
    [MAPS, COUNTRIES],
  )
  await pool.query(
    `update server_counters set total_votes = h % 5000, monthly_votes = h % 700
     from (select server_id as id, abs(hashtext(server_id::text || 'votes')) as h from server_counters) as hashed
     where server_id = id and total_votes = 0`,
  )
  // What a tenth reports of itself, as networks of Minecraft servers do.
  await pool.query(
    `insert into icons (hash, png) select md5(n::text), decode(repeat(md5(n::text), 32), 'hex') from generate_series(0, 99) as n
     on conflict do nothing`,
  )
  await pool.query(
    `insert into server_profiles (server_id, profile, icon_hash)
     select id, jsonb_build_object('icon', md5((h % 100)::text), 'motd', repeat(md5(id::text), 3)), md5((h % 100)::text)
     from (select id, abs(hashtext(id::text || 'profile')) as h from servers) as hashed
     where h % 10 = 0
     on conflict do nothing`,
  )
  await pool.query('vacuum analyze')
}

/** Replaces the listings with these game servers, due at once. */
export async function writeTargets(pool: Pool, targets: Target[]): Promise<void> {
  await pool.query('truncate servers cascade')
  const servers = createServers({ pool })
  const CHUNK = 10_000
  for (let start = 0; start < targets.length; start += CHUNK)
    await servers.addMany(
      targets.slice(start, start + CHUNK).map(({ name, ipAddress, queryPort }) => ({
        name,
        ipAddress,
        queryPort,
        gamePort: 7777,
        game: 'ase',
      })),
    )
  await pool.query('vacuum analyze')
}
