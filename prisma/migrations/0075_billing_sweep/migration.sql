-- When each object at the payment provider was last read, for the sweep that makes up for lost events (docs/decisions/0008).
alter table payment_reads add column begun_at timestamptz(3) not null default now();

-- Also of payments that were given back: a dispute may be won, and a refund may fail.
drop index payment_sessions_paid_idx;
create index payment_sessions_settled_idx on payment_sessions (updated_at)
  where kind = 'payment' and status in ('paid', 'refunded', 'disputed');
