-- Money: who a user is at the payment provider, what they subscribed to, the sessions we made for them, and the provider's events.

-- paid_tier is what the subscriptions gave when they were last read: users.tier is written where it changes.
create table billing_accounts (
  user_id uuid not null,
  customer_id text,
  paid_tier text not null default 'free',
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint billing_accounts_pkey primary key (user_id),
  constraint billing_accounts_paid_tier_check check (paid_tier in ('free', 'standard', 'premium', 'enterprise')),
  constraint billing_accounts_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade
);
create unique index billing_accounts_customer_id_key on billing_accounts (customer_id);

-- As the provider had it when it was last read. Without a user: the account was deleted, and what still runs is canceled.
create table subscriptions (
  id text not null,
  user_id uuid,
  customer_id text not null,
  price_id text not null,
  tier text not null,
  status text not null,
  current_period_end timestamptz(3),
  cancel_at_period_end boolean not null default false,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint subscriptions_pkey primary key (id),
  constraint subscriptions_tier_check check (tier in ('free', 'standard', 'premium', 'enterprise')),
  constraint subscriptions_user_id_fkey foreign key (user_id) references users (id) on delete set null on update cascade
);
create index subscriptions_user_id_idx on subscriptions (user_id);
create index subscriptions_current_period_end_idx on subscriptions (current_period_end);

-- A payment page somebody was sent to. The row is there before the provider is asked, so that asking twice makes one page.
create table payment_sessions (
  id uuid not null,
  user_id uuid,
  kind text not null,
  price_id text,
  reference text,
  idempotency_key text not null,
  amount_cents integer,
  currency text,
  session_id text,
  url text,
  payment_intent_id text,
  status text not null default 'open',
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint payment_sessions_pkey primary key (id),
  constraint payment_sessions_kind_check check (kind in ('subscription', 'payment')),
  constraint payment_sessions_status_check check (status in ('open', 'paid', 'expired', 'refunded', 'disputed')),
  constraint payment_sessions_amount_cents_check check (amount_cents between 1 and 99999999),
  constraint payment_sessions_user_id_fkey foreign key (user_id) references users (id) on delete set null on update cascade
);
create unique index payment_sessions_idempotency_key_key on payment_sessions (idempotency_key);
create unique index payment_sessions_session_id_key on payment_sessions (session_id);
create index payment_sessions_user_id_idx on payment_sessions (user_id);
create index payment_sessions_created_at_idx on payment_sessions (created_at) where status = 'open';

-- What the provider told. Only whom it is about is kept: the worker asks for the state itself.
create table payment_events (
  id text not null,
  type text not null,
  subject_kind text,
  subject_id text,
  created_at timestamptz(3) not null,
  received_at timestamptz(3) not null default current_timestamp,
  applied_at timestamptz(3),
  constraint payment_events_pkey primary key (id),
  constraint payment_events_subject_kind_check check (subject_kind in ('subscription', 'session', 'payment'))
);
create index payment_events_received_at_idx on payment_events (received_at);
create index payment_events_unapplied_idx on payment_events (received_at) where applied_at is null;

-- Numbers the readings of one object at the provider: one that began before the last that was written is stale, and dropped.
create table payment_reads (
  object_id text not null,
  started bigint not null default 1,
  written bigint not null default 0,
  constraint payment_reads_pkey primary key (object_id)
);
