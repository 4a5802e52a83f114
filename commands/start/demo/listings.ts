// What the demo's listings have besides their creation: owners, ages, sources, countries.
import { COMMUNITIES, type Community } from '../../../dev/demo/communities.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'

/** A listing that this start has added. */
export interface DemoServer extends Community {
  id: string
  /** Null if it is unclaimed. */
  owner: string | null
}

/** Polls leave countries as they are, because loopback addresses are in none. */
export async function pretendCountries(
  pool: Pool,
  listings: { ipAddress: string; queryPort: number }[],
): Promise<void> {
  await pool.query(
    `update server_status as status set country = given.country
     from unnest($1::text[], $2::integer[], $3::text[]) as given (ip_address, query_port, country)
     join servers using (ip_address, query_port)
     where status.server_id = servers.id and servers.deleted_at is null and status.country <> given.country`,
    [
      listings.map(({ ipAddress }) => ipAddress),
      listings.map(({ queryPort }) => queryPort),
      COMMUNITIES.map(({ country }) => country),
    ],
  )
}

export async function describeListings(pool: Pool, servers: readonly DemoServer[]): Promise<void> {
  await pool.query(
    `update servers set owner_id = given.owner_id, is_verified = given.owner_id is not null, source = given.source,
       created_at = now() - make_interval(days => given.days)
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[]) as given (id, owner_id, source, days)
     where servers.id = given.id`,
    [
      servers.map(({ id }) => id),
      servers.map(({ owner }) => owner),
      servers.map(({ game, unclaimed }) => (unclaimed ? `steam:${game}` : null)),
      servers.map(({ days }) => days),
    ],
  )
}
