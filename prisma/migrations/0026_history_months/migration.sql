-- Hours of a server in a month, one compressed value (docs/decisions/0035). A job moves the hours of rolled-up days there,
-- those of earlier releases included; until then charts read them from player_history_daily.

-- A month of a busy server is 2 kB: in the row, or each read would look for its parts in another table. Rows are rewritten
-- each day.
create table player_history_months (
  server_id uuid not null,
  month date not null,
  hours bytea not null,
  constraint player_history_months_pkey primary key (server_id, month)
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
-- Compressed already.
alter table player_history_months alter column hours set storage external;
create index player_history_months_month_idx on player_history_months (month);

alter table player_history_rolled_days add column in_months boolean not null default false;

-- Bytes that could not be decoded, out of the way of the others. No job deletes them.
create table player_history_unreadable (
  id bigserial,
  server_id uuid not null,
  source text not null,
  day date,
  bytes bytea not null,
  found_at timestamptz(3) not null default current_timestamp,
  is_reported boolean not null default false,
  constraint player_history_unreadable_pkey primary key (server_id, id)
);
