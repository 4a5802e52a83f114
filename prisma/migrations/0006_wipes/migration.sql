-- Wipes with the signs they are found by, and player history rolled up to days.

create table wipes (
  id uuid not null,
  server_id uuid not null,
  wiped_at timestamptz(3) not null,
  kind text not null,
  note text not null default '',
  source text not null,
  created_by uuid,
  created_at timestamptz(3) not null default current_timestamp,
  constraint wipes_pkey primary key (id),
  constraint wipes_kind_check check (kind in ('full', 'map', 'partial')),
  constraint wipes_source_check check (source in ('owner', 'detected')),
  constraint wipes_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade,
  constraint wipes_created_by_fkey foreign key (created_by) references users (id) on delete set null on update cascade
);
create index wipes_server_id_wiped_at_id_idx on wipes (server_id, wiped_at, id);
create index wipes_created_by_idx on wipes (created_by);

-- What a server last showed of its world, for games that tell: a day counter that falls back, a world that began later.
create table server_wipe_signs (
  server_id uuid not null,
  day integer,
  born_at timestamptz(3),
  map text,
  seed text,
  changed_at timestamptz(3) not null default current_timestamp,
  constraint server_wipe_signs_pkey primary key (server_id),
  constraint server_wipe_signs_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
) with (fillfactor = 80);

-- One row a server and day: the day's totals, and its 24 hours while they are kept.
create table player_history_daily (
  server_id uuid not null,
  day date not null,
  polls integer not null,
  answered integer not null,
  players_sum bigint not null,
  players_max integer not null,
  max_players integer not null,
  hour_polls smallint[],
  hour_answered smallint[],
  hour_players_sum integer[],
  hour_players_max integer[],
  hour_max_players integer[],
  constraint player_history_daily_pkey primary key (server_id, day)
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);
create index player_history_daily_day_idx on player_history_daily (day);
-- Carries the hours: a server's days lie side by side in it and are read without the table. Rows come a day at a time; vacuum
-- follows each day (above), or the index alone would not do.
create index player_history_daily_hours_idx on player_history_daily (server_id, day)
  include (hour_polls, hour_answered, hour_players_sum, hour_players_max, hour_max_players);

-- Which days are rolled up, so that nobody has to look for them among a hundred thousand rows each.
create table player_history_rolled_days (
  day date not null,
  servers integer not null,
  has_hours boolean not null default true,
  constraint player_history_rolled_days_pkey primary key (day)
);

-- The hours of days that are not rolled up yet, of one server: from the index alone.
create index player_history_hours_of_server_idx on player_history_hours (server_id, hour)
  include (polls, answered, players_sum, players_max, max_players);
alter table player_history_hours set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);
