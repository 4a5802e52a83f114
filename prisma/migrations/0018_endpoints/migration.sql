-- A server has several endpoints of several kinds, each with an id (docs/decisions/0033-endpoint-kinds.md). The existing ones get their
-- server's id, which is what their deliveries have: no row of a delivery is rewritten.

alter table webhook_endpoints rename to endpoints;
alter table endpoints rename column server_id to id;
alter table endpoints rename constraint webhook_endpoints_pkey to endpoints_pkey;
alter table endpoints rename constraint webhook_endpoints_disabled_reason_check to endpoints_disabled_reason_check;
alter table endpoints drop constraint webhook_endpoints_server_id_fkey;
alter table endpoints
  add column server_id uuid,
  add column kind text not null default 'standard',
  add column paused_until timestamptz(3),
  alter column secret drop not null;
update endpoints set server_id = id;
alter table endpoints
  alter column server_id set not null,
  add constraint endpoints_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade;
create index endpoints_server_id_idx on endpoints (server_id);

-- Without a foreign key: the deliveries of a deleted endpoint are canceled, and deleted with the other old ones.
alter table webhook_deliveries rename to endpoint_deliveries;
alter table endpoint_deliveries rename column server_id to endpoint_id;
alter table endpoint_deliveries drop constraint webhook_deliveries_server_id_fkey;
alter table endpoint_deliveries rename constraint webhook_deliveries_pkey to endpoint_deliveries_pkey;
alter table endpoint_deliveries rename constraint webhook_deliveries_status_check to endpoint_deliveries_status_check;
alter index webhook_deliveries_server_id_number_idx rename to endpoint_deliveries_endpoint_id_number_idx;
alter index webhook_deliveries_due_idx rename to endpoint_deliveries_due_idx;
alter index webhook_deliveries_created_at_idx rename to endpoint_deliveries_created_at_idx;
alter sequence webhook_deliveries_number_seq rename to endpoint_deliveries_number_seq;

alter table webhook_attempts rename to endpoint_attempts;
alter table endpoint_attempts rename constraint webhook_attempts_pkey to endpoint_attempts_pkey;
alter table endpoint_attempts rename constraint webhook_attempts_delivery_id_fkey to endpoint_attempts_delivery_id_fkey;

-- What processes of the previous release use until all have been restarted: the one endpoint of each server that they know. A later
-- release drops the views and the trigger.
create view webhook_endpoints as
  select id as server_id, url, events, secret, previous_secret, previous_secret_until, disabled_at, disabled_reason, failing_since, is_slow,
    lease_id, leased_until, created_at, updated_at
  from endpoints
  where id = server_id;
create view webhook_deliveries as
  select id, number, endpoint_id as server_id, type, body, status, attempts, due_at, created_at, settled_at from endpoint_deliveries;
create view webhook_attempts as
  select delivery_id, number, attempted_at, status, latency_ms, error, response from endpoint_attempts;
create function endpoint_of_previous_release() returns trigger language plpgsql as $$
begin
  new.server_id := new.id;
  return new;
end $$;
create trigger endpoints_of_previous_release before insert on endpoints
  for each row when (new.server_id is null) execute function endpoint_of_previous_release();
