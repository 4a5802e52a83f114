-- The outbox of polls (docs/decisions/0052): a row for each batch, written with the status that it changed and moved to player_history_recent
-- within seconds. A full batch of 200 servers fits in a page, so it is neither compressed nor stored apart.
create table player_history_pending (
  id bigserial,
  polled_at timestamptz(3) not null,
  server_ids uuid[] not null,
  players integer[] not null,
  max_players integer[] not null,
  constraint player_history_pending_pkey primary key (id)
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table player_history_pending
  alter column server_ids set storage external,
  alter column players set storage external,
  alter column max_players set storage external;
