-- When owners say that their servers wipe next (docs/decisions/0066).
-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "next_wipe_at" TIMESTAMPTZ(3),
ADD COLUMN     "wipe_schedule" JSONB;

-- CreateIndex
CREATE INDEX "servers_next_wipe_at_idx" ON "servers"("next_wipe_at") WHERE next_wipe_at IS NOT NULL;

/* The first time after `after` that a schedule names: `{ at }`, or `{ weekday, time, timeZone }`. Null: none. */
create function next_wipe(schedule jsonb, after timestamptz) returns timestamptz
language sql stable strict parallel safe
return case
  when schedule ? 'at' then nullif(greatest((schedule ->> 'at')::timestamptz, after), after)
  when schedule ? 'weekday' then (
    select min(wipe) from (
      select (day + (schedule ->> 'time')::time) at time zone zone as wipe
      from (select coalesce(schedule ->> 'timeZone', 'UTC') as zone) as zoned
      cross join generate_series(0, 7) as later
      cross join lateral (select date_trunc('day', after at time zone zone) + make_interval(days => later) as day) as days
      where extract(isodow from day) = array_position(
        array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], schedule ->> 'weekday')) as wipes
    where wipe > after)
end;
