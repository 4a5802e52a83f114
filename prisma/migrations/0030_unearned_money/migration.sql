-- Money that bought nothing is refunded.

-- Null: the subscription was paid after the account was deleted.
alter table duplicate_subscriptions alter column kept_subscription_id drop not null;

-- Not shown so far. Placements of earlier releases were not recorded, so they count as shown.
alter table placements add column unshown boolean not null default false;
create index placements_unshown_idx on placements (ends_at) where unshown;

-- Payments that the auction sweep compares with what they paid for.
create index payment_sessions_paid_idx on payment_sessions (updated_at) where kind = 'payment' and status = 'paid';
