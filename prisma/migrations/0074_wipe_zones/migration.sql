/* As `next_wipe`; null also for a time zone that this server no longer knows, so that one schedule does not stop the others. */
create function next_wipe_if_zone_known(schedule jsonb, after timestamptz) returns timestamptz
language plpgsql stable strict
as $$ begin
  return next_wipe(schedule, after);
exception when invalid_parameter_value then
  return null;
end $$;
