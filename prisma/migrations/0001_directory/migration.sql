-- The directory: what owners edit, what the poller sees, what votes count, when to poll next, and player history.

-- changed_in is the id of the last transaction that wrote the row. The change feed reads
-- `changed_in >= (xmin of the previous read's snapshot)`, which misses no transaction that commits late.
create function set_changed_in() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;

create table servers (
  id uuid not null,
  owner_id uuid,
  game text not null,
  name text not null,
  description text not null default '',
  ip_address text not null,
  game_port integer not null,
  query_port integer not null,
  game_mode text,
  region text not null default '',
  tags text[] default array[]::text[],
  website text not null default '',
  chat_url text not null default '',
  banner_url text not null default '',
  rates text not null default '',
  mods text not null default '',
  is_verified boolean not null default false,
  is_featured boolean not null default false,
  last_wipe_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  deleted_at timestamptz(3),
  changed_in xid8 not null,
  constraint servers_pkey primary key (id),
  constraint servers_game_mode_check check (game_mode in ('PvP', 'PvE', 'PvPvE')),
  constraint servers_game_port_check check (game_port between 1 and 65535),
  constraint servers_query_port_check check (query_port between 1 and 65535),
  constraint servers_ip_address_check check (ip_address = lower(ip_address)),
  constraint servers_tags_check check (tags is not null)
);
create unique index servers_live_address_key on servers (ip_address, query_port) where deleted_at is null;
create index servers_owner_id_idx on servers (owner_id);
create index servers_changed_in_idx on servers (changed_in);
create trigger servers_changed_in before insert or update on servers for each row execute function set_changed_in();

create table server_status (
  server_id uuid not null,
  is_online boolean not null default false,
  current_players integer not null default 0,
  max_players integer not null default 0,
  map text not null default '',
  version text not null default '',
  consecutive_failures integer not null default 0,
  last_polled_at timestamptz(3),
  last_online_at timestamptz(3),
  fresh_until timestamptz(3),
  applied_cycle bigint not null default 0,
  changed_in xid8 not null,
  constraint server_status_pkey primary key (server_id),
  constraint server_status_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
) with (fillfactor = 80);
create index server_status_changed_in_idx on server_status (changed_in);
create trigger server_status_changed_in before insert or update on server_status for each row execute function set_changed_in();

create table server_counters (
  server_id uuid not null,
  total_votes integer not null default 0,
  monthly_votes integer not null default 0,
  votes_month date not null,
  changed_in xid8 not null,
  constraint server_counters_pkey primary key (server_id),
  constraint server_counters_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create index server_counters_changed_in_idx on server_counters (changed_in);
create trigger server_counters_changed_in before insert or update on server_counters for each row execute function set_changed_in();

create table server_polls (
  server_id uuid not null,
  next_poll_at timestamptz(3) not null default current_timestamp,
  cycle bigint not null default 0,
  constraint server_polls_pkey primary key (server_id),
  constraint server_polls_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
) with (fillfactor = 80);
create index server_polls_next_poll_at_idx on server_polls (next_poll_at);

create table server_uptime (
  server_id uuid not null,
  day real,
  week real,
  month real,
  changed_in xid8 not null,
  constraint server_uptime_pkey primary key (server_id),
  constraint server_uptime_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create index server_uptime_changed_in_idx on server_uptime (changed_in);
create trigger server_uptime_changed_in before insert or update on server_uptime for each row execute function set_changed_in();

-- Partitions are made ahead and dropped by a job, in a schema of their own that migrations do not look at.
create schema player_history_days;
create table player_history (
  server_id uuid not null,
  polled_at timestamptz(3) not null,
  players integer,
  max_players integer not null,
  constraint player_history_pkey primary key (server_id, polled_at)
) partition by range (polled_at);

create table player_history_hours (
  server_id uuid not null,
  hour timestamptz(3) not null,
  polls integer not null,
  answered integer not null,
  players_sum integer not null,
  players_max integer not null,
  max_players integer not null,
  constraint player_history_hours_pkey primary key (hour, server_id)
);

-- Requests counted by several API processes (RATE_LIMIT_STORE=postgres); columns as rate-limiter-flexible writes them.
-- Unlogged: a count is worth nothing after a crash, and it is written with each request.
create unlogged table rate_limits (
  key text not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey primary key (key)
) with (fillfactor = 80);
