-- What processes of release 0.1 used while release 0.2 was installed (migration 0018). Release 0.2 encrypts the URLs that 0.1 stored in
-- clear within a day.
do $$ begin
  if exists (select from endpoints where url ~ '^https?:') then
    raise exception 'webhook addresses are stored as release 0.1 did: run release 0.2 for a day first, until its workers have encrypted them';
  end if;
end $$;

drop view webhook_endpoints, webhook_deliveries, webhook_attempts;
drop trigger endpoints_of_previous_release on endpoints;
drop function endpoint_of_previous_release();
