-- Notifications: what happened to people's servers and auctions, who asked to hear of it, and what is still to be told by mail or chat.

-- topic is what an event is about (a server, an auction); what repeats while it is unread is one row that counts.
create table notifications (
  id uuid not null,
  user_id uuid not null,
  event text not null,
  topic text not null,
  server_id uuid,
  data jsonb not null default '{}',
  repeats integer not null default 1,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  constraint notifications_pkey primary key (id),
  constraint notifications_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade,
  constraint notifications_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create unique index notifications_unread_key on notifications (user_id, event, topic) where read_at is null;
create index notifications_user_id_created_at_id_idx on notifications (user_id, created_at, id);
create index notifications_created_at_idx on notifications (created_at);
create index notifications_server_id_idx on notifications (server_id);

create table server_subscriptions (
  user_id uuid not null,
  server_id uuid not null,
  events text[] not null,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint server_subscriptions_pkey primary key (user_id, server_id),
  constraint server_subscriptions_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade,
  constraint server_subscriptions_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create index server_subscriptions_server_id_idx on server_subscriptions (server_id);

-- What the next message to a user will tell, one row an event and topic however often it happened.
create table pending_notices (
  user_id uuid not null,
  channel text not null,
  event text not null,
  topic text not null,
  server_id uuid,
  data jsonb not null default '{}',
  repeats integer not null default 1,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  constraint pending_notices_pkey primary key (user_id, channel, event, topic),
  constraint pending_notices_channel_check check (channel in ('email', 'chat')),
  constraint pending_notices_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade,
  constraint pending_notices_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create index pending_notices_last_at_idx on pending_notices (last_at);
create index pending_notices_server_id_idx on pending_notices (server_id);

-- When a user's next message is due; ordered_at is set while one is on its way.
create table notification_digests (
  user_id uuid not null,
  channel text not null,
  due_at timestamptz(3),
  ordered_at timestamptz(3),
  sent_at timestamptz(3),
  constraint notification_digests_pkey primary key (user_id, channel),
  constraint notification_digests_channel_check check (channel in ('email', 'chat')),
  constraint notification_digests_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
) with (fillfactor = 80);
create index notification_digests_due_at_idx on notification_digests (due_at) where due_at is not null;

-- Notices are delivered at least once: those that were taken in already.
create table handled_notices (
  job_id uuid not null,
  handled_at timestamptz(3) not null default current_timestamp,
  constraint handled_notices_pkey primary key (job_id)
);
create index handled_notices_handled_at_idx on handled_notices (handled_at);

-- Where a user's chat messages go: a secret address, sealed (src/platform/config/vault.ts).
create table chat_webhooks (
  user_id uuid not null,
  url text not null,
  created_at timestamptz(3) not null default current_timestamp,
  constraint chat_webhooks_pkey primary key (user_id),
  constraint chat_webhooks_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
);
