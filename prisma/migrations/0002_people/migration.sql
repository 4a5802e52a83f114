-- People: accounts, sessions, API keys, favorites, ownership claims, mailed links, and what administrators did.

create table users (
  id uuid not null,
  email text,
  email_verified_at timestamptz(3),
  username text not null,
  password_hash text,
  avatar_url text not null default '',
  game_platform_id text,
  chat_id text,
  is_admin boolean not null default false,
  tier text not null default 'free',
  notification_preferences jsonb not null default '{}',
  banned_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint users_pkey primary key (id),
  constraint users_email_check check (email = lower(email)),
  constraint users_tier_check check (tier in ('free', 'standard', 'premium', 'enterprise'))
);
create unique index users_email_key on users (email);
create unique index users_game_platform_id_key on users (game_platform_id);
create unique index users_chat_id_key on users (chat_id);

create table sessions (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  constraint sessions_pkey primary key (token_hash),
  constraint sessions_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

create table api_keys (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  key text not null,
  secret_hash bytea not null,
  is_active boolean not null default true,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default current_timestamp,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
);
create unique index api_keys_key_key on api_keys (key);
create index api_keys_user_id_idx on api_keys (user_id);

create table favorites (
  id uuid not null,
  user_id uuid not null,
  server_id uuid not null,
  created_at timestamptz(3) not null default current_timestamp,
  constraint favorites_pkey primary key (id),
  constraint favorites_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade,
  constraint favorites_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create unique index favorites_user_id_server_id_key on favorites (user_id, server_id);
create index favorites_server_id_idx on favorites (server_id);

create table server_claims (
  id uuid not null,
  server_id uuid not null,
  user_id uuid not null,
  token text not null,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  checked_at timestamptz(3),
  server_answered boolean,
  verified_at timestamptz(3),
  constraint server_claims_pkey primary key (id),
  constraint server_claims_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade,
  constraint server_claims_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
);
create unique index server_claims_token_key on server_claims (token);
create unique index server_claims_server_id_user_id_key on server_claims (server_id, user_id);
create index server_claims_user_id_idx on server_claims (user_id);

create table email_tokens (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  email text not null,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  constraint email_tokens_pkey primary key (token_hash),
  constraint email_tokens_purpose_check check (purpose in ('verify', 'reset')),
  constraint email_tokens_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
);
create unique index email_tokens_user_id_purpose_key on email_tokens (user_id, purpose);

create table used_nonces (
  nonce text not null,
  expires_at timestamptz(3) not null,
  constraint used_nonces_pkey primary key (nonce)
);
create index used_nonces_expires_at_idx on used_nonces (expires_at);

create table audit_log (
  id uuid not null,
  at timestamptz(3) not null default current_timestamp,
  actor_id uuid not null,
  action text not null,
  target_type text not null,
  target_id text not null,
  details jsonb not null default '{}',
  constraint audit_log_pkey primary key (id)
);
create index audit_log_at_idx on audit_log (at);
create index audit_log_target_type_target_id_idx on audit_log (target_type, target_id);

alter table servers add column hidden_at timestamptz(3);
alter table servers add constraint servers_owner_id_fkey
  foreign key (owner_id) references users (id) on delete set null on update cascade;
