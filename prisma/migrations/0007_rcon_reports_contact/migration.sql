-- RCON: passwords of game servers and the commands under way; reports about servers; messages from the contact form.

-- password is sealed (src/platform/config/vault.ts). It is of use only while the server belongs to owner_id, who set it.
create table rcon_credentials (
  server_id uuid not null,
  owner_id uuid,
  port integer not null,
  password text not null,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint rcon_credentials_pkey primary key (server_id),
  constraint rcon_credentials_port_check check (port between 1 and 65535),
  constraint rcon_credentials_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade,
  constraint rcon_credentials_owner_id_fkey foreign key (owner_id) references users (id) on delete cascade on update cascade
);
create index rcon_credentials_owner_id_idx on rcon_credentials (owner_id);

-- A command on its way to a worker, and its answer on the way back, both sealed; gone once the answer is read. The partial
-- unique index lets a server have one at a time. expires_at ends it whether or not anybody is still there to see.
create table rcon_commands (
  id uuid not null,
  server_id uuid not null,
  actor_id uuid not null,
  command text not null,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  started_at timestamptz(3),
  settled_at timestamptz(3),
  outcome text,
  response text,
  constraint rcon_commands_pkey primary key (id),
  constraint rcon_commands_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create unique index rcon_commands_server_id_key on rcon_commands (server_id) where settled_at is null;

create table reports (
  id uuid not null,
  server_id uuid not null,
  user_id uuid,
  reason text not null,
  details text not null default '',
  status text not null default 'open',
  note text not null default '',
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint reports_pkey primary key (id),
  constraint reports_reason_check check (reason in ('offline', 'spam', 'abuse', 'misleading', 'other')),
  constraint reports_status_check check (status in ('open', 'resolved', 'dismissed')),
  constraint reports_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade,
  constraint reports_user_id_fkey foreign key (user_id) references users (id) on delete set null on update cascade
);
create unique index reports_server_id_user_id_key on reports (server_id, user_id) where status = 'open';
create index reports_status_id_idx on reports (status, id);
create index reports_server_id_idx on reports (server_id);
create index reports_user_id_idx on reports (user_id);

-- visitor is a keyed hash of the sender's network address, as in the log; the address itself is nowhere.
create table contact_messages (
  id uuid not null,
  name text not null,
  email text not null,
  subject text not null default '',
  message text not null,
  visitor text not null,
  is_suspect boolean not null default false,
  created_at timestamptz(3) not null default current_timestamp,
  constraint contact_messages_pkey primary key (id)
);
create index contact_messages_created_at_idx on contact_messages (created_at);
