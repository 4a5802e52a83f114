-- Bids can become invalid (docs/decisions/0016): a ban, a default or an administrator removes them from the auction, not from history.
alter table bids
  add column invalid_at timestamptz(3),
  add column invalid_reason text,
  add constraint bids_invalid_check check ((invalid_at is null) = (invalid_reason is null)),
  add constraint bids_invalid_reason_check check (invalid_reason in ('voided', 'banned', 'defaulted', 'superseded'));
-- An invalid bid does not keep its amount from others.
drop index bids_auction_id_amount_key;
create unique index bids_auction_id_amount_key on bids (auction_id, amount) where invalid_at is null;

-- withdrawn: taken back before it was paid, through no default of the bidder's. defaulted_at: not paid in time, and not later either.
alter table auction_offers drop constraint auction_offers_status_check;
alter table auction_offers
  add column defaulted_at timestamptz(3),
  add constraint auction_offers_status_check check (status in ('open', 'paid', 'expired', 'withdrawn', 'refunded', 'refund_due'));
-- What was withdrawn because its slot was not sold is offered again.
drop index auction_offers_bid_id_key;
create unique index auction_offers_bid_id_key on auction_offers (bid_id) where status <> 'withdrawn';
create index auction_offers_defaulted_at_idx on auction_offers (user_id, defaulted_at) where defaulted_at is not null;

-- Where bids near the end have moved the end: what it was at first. Bounds how far it can be moved.
alter table auctions add column original_ends_at timestamptz(3);

-- Money to be given back: one row a payment, sent to the provider under the row's id.
create table payment_refunds (
  id uuid not null,
  payment_session_id uuid not null,
  status text not null default 'due',
  provider_refund_id text,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint payment_refunds_pkey primary key (id),
  constraint payment_refunds_status_check check (status in ('due', 'succeeded', 'failed')),
  constraint payment_refunds_payment_session_id_fkey foreign key (payment_session_id) references payment_sessions (id) on delete restrict on update cascade
);
create unique index payment_refunds_payment_session_id_key on payment_refunds (payment_session_id);
create index payment_refunds_due_idx on payment_refunds (updated_at) where status = 'due';

-- What was offered and not paid before, and what banned users bid, counts no more; who leads follows.
update bids set invalid_at = now(), invalid_reason = 'defaulted'
from auction_offers as offer
where offer.auction_id = bids.auction_id and offer.user_id = bids.user_id and offer.status in ('expired', 'refund_due');
update bids set invalid_at = now(), invalid_reason = 'banned'
from users
where users.id = bids.user_id and banned_at is not null and invalid_at is null
  and not exists (
    select from auction_offers as offer
    where offer.auction_id = bids.auction_id and offer.user_id = bids.user_id and offer.status in ('paid', 'refunded'));
update auctions
set current_bid = lead.amount, leading_bid_id = lead.id, bid_count = coalesce(lead.bids, 0)
from auctions as before
left join lateral (
  select id, amount, count(*) over () as bids from bids
  where auction_id = before.id and invalid_at is null order by amount desc limit 1) as lead on true
where auctions.id = before.id and (before.leading_bid_id is distinct from lead.id or before.bid_count <> coalesce(lead.bids, 0));
