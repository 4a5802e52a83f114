/* Of these names, PostgreSQL has abbreviations without summer time, which it prefers to the zones of the same names. */
create function zone_with_summer_time(zone text) returns text
language sql immutable strict parallel safe
return case upper(zone)
  when 'CET' then 'Europe/Brussels'
  when 'EET' then 'Europe/Athens'
  when 'MET' then 'Europe/Brussels'
  when 'WET' then 'Europe/Lisbon'
  else zone
end;

/* The first time after `after` that a schedule names: `{ at }`, or `{ weekday, time, timeZone }`. Null: none. */
create or replace function next_wipe(schedule jsonb, after timestamptz) returns timestamptz
language sql stable strict parallel safe
return case
  when schedule ? 'at' then nullif(greatest((schedule ->> 'at')::timestamptz, after), after)
  when schedule ? 'weekday' then (
    select min(wipe) from (
      select (day + (schedule ->> 'time')::time) at time zone zone as wipe
      from (select zone_with_summer_time(coalesce(schedule ->> 'timeZone', 'UTC')) as zone) as zoned
      cross join generate_series(0, 7) as later
      cross join lateral (select date_trunc('day', after at time zone zone) + make_interval(days => later) as day) as days
      where extract(isodow from day) = array_position(
        array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], schedule ->> 'weekday')) as wipes
    where wipe > after)
end;

update servers set next_wipe_at = next_wipe_if_zone_known(wipe_schedule, now())
where next_wipe_at is not null and zone_with_summer_time(wipe_schedule ->> 'timeZone') <> wipe_schedule ->> 'timeZone';
