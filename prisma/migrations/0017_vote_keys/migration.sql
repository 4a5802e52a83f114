-- Keys by which reward plugins of game servers ask for votes; only their SHA-256 is stored.

-- Valid while the server belongs to owner_id. A server has one key without an end, and the one that it replaced until its end.
create table vote_keys (
  token_hash bytea not null,
  server_id uuid not null,
  owner_id uuid,
  starts_with text not null,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  constraint vote_keys_pkey primary key (token_hash),
  constraint vote_keys_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade,
  constraint vote_keys_owner_id_fkey foreign key (owner_id) references users (id) on delete cascade on update cascade
);
create unique index vote_keys_server_id_key on vote_keys (server_id) where expires_at is null;
create index vote_keys_server_id_idx on vote_keys (server_id);
create index vote_keys_owner_id_idx on vote_keys (owner_id);
