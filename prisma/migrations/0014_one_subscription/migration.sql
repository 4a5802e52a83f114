-- At most one payable subscription page and one subscription per account (docs/decisions/0017-one-subscription.md).

-- Set on reservations of this version and later: what a process of an earlier version inserts is not bound by the index.
alter table payment_sessions add column exclusive boolean not null default false;
create unique index payment_sessions_user_id_exclusive_key on payment_sessions (user_id) where exclusive and status = 'open';

-- When the subscription began, by the provider's clock; null until it is read again.
alter table subscriptions add column started_at timestamptz(3);

-- Subscriptions that began while an earlier one of the same account was active: canceled, and their current period refunded.
create table duplicate_subscriptions (
  subscription_id text not null,
  kept_subscription_id text not null,
  user_id uuid,
  found_at timestamptz(3) not null default current_timestamp,
  resolved_at timestamptz(3),
  refunded_cents integer not null default 0,
  currency text,
  constraint duplicate_subscriptions_pkey primary key (subscription_id),
  constraint duplicate_subscriptions_refunded_cents_check check (refunded_cents >= 0),
  constraint duplicate_subscriptions_user_id_fkey foreign key (user_id) references users (id) on delete set null on update cascade
);
create index duplicate_subscriptions_user_id_idx on duplicate_subscriptions (user_id);
create index duplicate_subscriptions_unresolved_idx on duplicate_subscriptions (found_at) where resolved_at is null;
