-- Votes with their cooldowns and months, webhook endpoints with their deliveries and attempts, and when a server came or went.

-- When the server was last turned from online to offline or back; null: never.
alter table server_status add column online_changed_at timestamptz(3);

-- The row that decides a vote: one a visitor and server, kept while the cooldown may still matter.
create table vote_cooldowns (
  server_id uuid not null,
  visitor_id text not null,
  last_voted_at timestamptz(3) not null,
  constraint vote_cooldowns_pkey primary key (server_id, visitor_id),
  constraint vote_cooldowns_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
) with (fillfactor = 80);

-- number is the server's total_votes with this vote: ascending in the order of commits, so that a reader's cursor misses none.
create table votes (
  id uuid not null,
  server_id uuid not null,
  number integer not null,
  visitor_id text not null,
  username text not null default '',
  game_platform_id text not null default '',
  voted_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  constraint votes_pkey primary key (id),
  constraint votes_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create unique index votes_server_id_number_key on votes (server_id, number);
create index votes_server_id_voted_at_idx on votes (server_id, voted_at);
create index votes_server_id_game_platform_id_idx on votes (server_id, game_platform_id) where game_platform_id <> '';
create index votes_server_id_username_idx on votes (server_id, username) where username <> '';

-- Months that are over. A counter moves here under its own row's lock, so exactly once.
create table server_vote_months (
  server_id uuid not null,
  month date not null,
  votes integer not null,
  constraint server_vote_months_pkey primary key (server_id, month),
  constraint server_vote_months_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);

-- Secrets are sealed (src/platform/config/vault.ts). Whoever holds the lease sends the server's deliveries, one after the other.
create table webhook_endpoints (
  server_id uuid not null,
  url text not null,
  events text[] not null,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  failing_since timestamptz(3),
  is_slow boolean not null default false,
  lease_id uuid,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint webhook_endpoints_pkey primary key (server_id),
  constraint webhook_endpoints_disabled_reason_check check (disabled_reason in ('gone', 'failing')),
  constraint webhook_endpoints_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
) with (fillfactor = 80);

-- body is the very text that is signed and sent, the same at each attempt. due_at is null once the delivery is settled.
create table webhook_deliveries (
  id uuid not null,
  number bigserial not null,
  server_id uuid not null,
  type text not null,
  body text not null,
  status text not null default 'pending',
  attempts integer not null default 0,
  due_at timestamptz(3) default current_timestamp,
  created_at timestamptz(3) not null default current_timestamp,
  settled_at timestamptz(3),
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_status_check check (status in ('pending', 'delivered', 'dead', 'canceled')),
  constraint webhook_deliveries_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
) with (fillfactor = 80);
create index webhook_deliveries_server_id_number_idx on webhook_deliveries (server_id, number);
create index webhook_deliveries_due_idx on webhook_deliveries (server_id, due_at, number) where status = 'pending';
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);

create table webhook_attempts (
  delivery_id uuid not null,
  number integer not null,
  attempted_at timestamptz(3) not null,
  status integer,
  latency_ms integer not null,
  error text,
  response text not null default '',
  constraint webhook_attempts_pkey primary key (delivery_id, number),
  constraint webhook_attempts_delivery_id_fkey foreign key (delivery_id) references webhook_deliveries (id) on delete cascade on update cascade
);
