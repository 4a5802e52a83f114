-- Rewards of votes: commands that owners have sent to their game servers by RCON.

-- Valid while the server belongs to owner_id. stopped_at: the game server refused the RCON password; no more is sent until it is set again.
create table vote_reward_settings (
  server_id uuid not null,
  owner_id uuid,
  set_by uuid not null,
  run_on text not null,
  commands text[] not null,
  stopped_at timestamptz(3),
  updated_at timestamptz(3) not null default current_timestamp,
  constraint vote_reward_settings_pkey primary key (server_id),
  constraint vote_reward_settings_run_on_check check (run_on in ('vote', 'claim')),
  constraint vote_reward_settings_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade,
  constraint vote_reward_settings_owner_id_fkey foreign key (owner_id) references users (id) on delete cascade on update cascade
);
create index vote_reward_settings_owner_id_idx on vote_reward_settings (owner_id);

-- The key lets a vote be rewarded once. started_at is set before the first command is sent, and never again after one was.
create table vote_rewards (
  vote_id uuid not null,
  server_id uuid not null,
  created_at timestamptz(3) not null default current_timestamp,
  attempts integer not null default 0,
  started_at timestamptz(3),
  settled_at timestamptz(3),
  outcome text,
  commands text[] not null default array[]::text[],
  commands_run integer not null default 0,
  answer text,
  constraint vote_rewards_pkey primary key (vote_id),
  constraint vote_rewards_vote_id_fkey foreign key (vote_id) references votes (id) on delete cascade on update cascade,
  constraint vote_rewards_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create index vote_rewards_server_id_created_at_vote_id_idx on vote_rewards (server_id, created_at, vote_id);
create index vote_rewards_created_at_idx on vote_rewards (created_at) where settled_at is null;
