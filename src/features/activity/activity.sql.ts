// Counts of servers by day. SQL: one statement adds those of many servers, and days without a row are generated.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'

export interface ActivityOfDay {
  serverId: string
  views: number
  crawlerViews: number
  copies: number
  joins: number
}

/** Adds counts to those of the day, except for servers that were removed in the meantime. */
export async function addActivity(db: Db, day: Date, counts: ActivityOfDay[]): Promise<void> {
  await db.query(
    namedParameters({
      name: 'activity-add',
      text: `
      insert into server_activity as stored (server_id, day, views, crawler_views, copies, joins)
      select servers.id, $day::date, views, crawler_views, copies, joins
      from unnest($serverIds::uuid[], $views::integer[], $crawlerViews::integer[], $copies::integer[], $joins::integer[])
        with ordinality as added (id, views, crawler_views, copies, joins, place)
      join servers on servers.id = added.id and deleted_at is null
      order by place
      on conflict (server_id, day) do update
      set views = stored.views + excluded.views, crawler_views = stored.crawler_views + excluded.crawler_views,
        copies = stored.copies + excluded.copies, joins = stored.joins + excluded.joins`,
      values: {
        day: day.toISOString().slice(0, 10),
        serverIds: counts.map(({ serverId }) => serverId),
        views: counts.map(({ views }) => views),
        crawlerViews: counts.map(({ crawlerViews }) => crawlerViews),
        copies: counts.map(({ copies }) => copies),
        joins: counts.map(({ joins }) => joins),
      },
    }),
  )
}

export interface DayOfServer extends Omit<ActivityOfDay, 'serverId'> {
  /** `2026-11-24` */
  day: string
  votes: number
  favorites: number
}

/** The last days (UTC), the oldest first; the last one has not ended. Favorites are those that still are. */
export async function findActivity(db: Db, serverId: string, days: number): Promise<DayOfServer[]> {
  const { rows } = await db.query<DayOfServer>({
    name: 'activity-find',
    text: `
      with wanted as (
        select day::date from generate_series((now() at time zone 'utc')::date - $2::integer + 1, (now() at time zone 'utc')::date, interval '1 day') as day
      ),
      voted as (
        select (voted_at at time zone 'utc')::date as day, count(*)::integer as votes from votes
        where server_id = $1 and voted_at >= (select min(day) from wanted)::timestamp at time zone 'utc' and voiding_id is null
        group by 1
      ),
      added as (
        select (created_at at time zone 'utc')::date as day, count(*)::integer as favorites from favorites
        where server_id = $1 and created_at >= (select min(day) from wanted)::timestamp at time zone 'utc'
        group by 1
      )
      select day::text, coalesce(views, 0) as views, coalesce(crawler_views, 0) as "crawlerViews", coalesce(copies, 0) as copies,
        coalesce(joins, 0) as joins, coalesce(votes, 0) as votes, coalesce(favorites, 0) as favorites
      from wanted
      left join (select * from server_activity where server_id = $1) as activity using (day)
      left join voted using (day)
      left join added using (day)
      order by day`,
    values: [serverId, days],
  })
  return rows
}

export interface PlacementEffect {
  placementId: string
  location: string
  startsAt: Date
  endsAt: Date
  priceCents: number
  days: number
  views: number
  viewsBefore: number
}

/**
 * The placements of a server that have begun, the last first, with the views of their days and of as many days before.
 * A placement that ends at midnight has no part in the day that begins then.
 */
export async function findPlacementEffects(db: Db, serverId: string, limit: number): Promise<PlacementEffect[]> {
  const { rows } = await db.query<PlacementEffect>({
    name: 'activity-placements',
    text: `
      with placed as (
        select placements.id, location, placements.starts_at, least(placements.ends_at, ended_at) as ends_at, amount,
          (placements.starts_at at time zone 'utc')::date as first_day,
          (least(placements.ends_at, ended_at, now()) at time zone 'utc' - interval '1 microsecond')::date as last_day
        from placements
        join ad_slots on ad_slots.id = slot_id
        join auction_offers on auction_offers.id = offer_id
        where placements.server_id = $1 and placements.starts_at < now() and (ended_at is null or ended_at > placements.starts_at)
        order by placements.starts_at desc
        limit $2
      )
      select placed.id as "placementId", location, starts_at as "startsAt", ends_at as "endsAt", amount as "priceCents",
        last_day - first_day + 1 as days,
        coalesce(sum(views) filter (where day >= first_day), 0)::integer as views,
        coalesce(sum(views) filter (where day < first_day), 0)::integer as "viewsBefore"
      from placed
      left join server_activity on server_id = $1 and day <= last_day and day >= first_day - (last_day - first_day + 1)
      group by placed.id, location, starts_at, ends_at, amount, first_day, last_day
      order by starts_at desc`,
    values: [serverId, limit],
  })
  return rows
}

export interface Reach {
  location: string
  servers: number
  viewsPerDay: number
  viewsPerDayBefore: number
}

/**
 * Views of each location with a placement in the last seven full days: on its days, and on the seven
 * days before it began.
 */
export async function findReach(db: Db): Promise<Reach[]> {
  const { rows } = await db.query<Reach>({
    name: 'activity-reach',
    text: `
      with placed as (
        select location, server_id, starts_on, greatest(starts_on, today - 7) as first_day, least(ends_on, today - 1) as last_day
        from (
          select location, server_id, (placements.starts_at at time zone 'utc')::date as starts_on,
            (least(placements.ends_at, ended_at) at time zone 'utc' - interval '1 microsecond')::date as ends_on
          from placements join ad_slots on ad_slots.id = slot_id
          where placements.starts_at < now() and least(placements.ends_at, ended_at) > now() - interval '8 days'
            and (ended_at is null or ended_at > placements.starts_at)) as placements
        cross join (select (now() at time zone 'utc')::date as today) as clock
      )
      select location, count(distinct server_id)::integer as servers,
        round(sum(viewed.during)::numeric / sum(last_day - first_day + 1))::integer as "viewsPerDay",
        round(sum(viewed.before)::numeric / (7 * count(*)))::integer as "viewsPerDayBefore"
      from placed
      cross join lateral (
        select coalesce(sum(views) filter (where day >= first_day), 0) as during,
          coalesce(sum(views) filter (where day < starts_on), 0) as before
        from server_activity
        where server_activity.server_id = placed.server_id and day between starts_on - 7 and last_day) as viewed
      where first_day <= last_day
      group by location
      order by location`,
  })
  return rows
}

export async function deleteOldActivity(db: Db, days: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from server_activity where day < (now() at time zone 'utc')::date - $1::integer`,
    [days],
  )
  return rowCount ?? 0
}
