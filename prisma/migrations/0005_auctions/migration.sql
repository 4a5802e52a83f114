-- Featured placements: the slots that are sold, the auctions that sell them, their bids and offers, and what runs where.

-- is_featured is what is shown: by an administrator's wish, or while a placement runs.
alter table servers add column featured_by_admin boolean not null default false;
update servers set featured_by_admin = true where is_featured;
create index servers_featured_idx on servers (id) where is_featured;

create table ad_slots (
  id uuid not null,
  location text not null,
  tier text not null,
  name text not null,
  width integer not null,
  height integer not null,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint ad_slots_pkey primary key (id),
  constraint ad_slots_tier_check check (tier in ('standard', 'premium', 'enterprise')),
  constraint ad_slots_size_check check (width between 1 and 10000 and height between 1 and 10000)
);
create unique index ad_slots_location_tier_name_key on ad_slots (location, tier, name);

-- All amounts are integer cents.
create table auctions (
  id uuid not null,
  slot_id uuid not null,
  tier text not null,
  location text not null,
  title text not null,
  status text not null default 'active',
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  starting_bid integer not null,
  minimum_increment integer not null,
  soft_close_seconds integer not null default 0,
  placement_days integer not null,
  current_bid integer,
  bid_count integer not null default 0,
  leading_bid_id uuid,
  recurrence_key text,
  created_at timestamptz(3) not null default current_timestamp,
  updated_at timestamptz(3) not null default current_timestamp,
  constraint auctions_pkey primary key (id),
  constraint auctions_status_check check (status in ('active', 'completed', 'canceled')),
  constraint auctions_time_check check (ends_at > starts_at),
  constraint auctions_amounts_check check (
    starting_bid between 1 and 10000000 and minimum_increment between 1 and 10000000
    and (current_bid is null or current_bid between starting_bid and 10000000)),
  constraint auctions_lead_check check ((current_bid is null) = (leading_bid_id is null) and (current_bid is null) = (bid_count = 0)),
  constraint auctions_soft_close_check check (soft_close_seconds between 0 and 3600),
  constraint auctions_placement_days_check check (placement_days between 1 and 366),
  constraint auctions_slot_id_fkey foreign key (slot_id) references ad_slots (id) on delete restrict on update cascade
);
create unique index auctions_recurrence_key_key on auctions (recurrence_key);
create index auctions_status_ends_at_idx on auctions (status, ends_at);
create index auctions_slot_id_idx on auctions (slot_id);

create table bids (
  id uuid not null,
  auction_id uuid not null,
  user_id uuid not null,
  server_id uuid,
  amount integer not null,
  placed_at timestamptz(3) not null,
  constraint bids_pkey primary key (id),
  constraint bids_amount_check check (amount between 1 and 10000000),
  constraint bids_auction_id_fkey foreign key (auction_id) references auctions (id) on delete cascade on update cascade,
  constraint bids_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade,
  constraint bids_server_id_fkey foreign key (server_id) references servers (id) on delete set null on update cascade
);
create unique index bids_auction_id_amount_key on bids (auction_id, amount);
create index bids_user_id_idx on bids (user_id);
create index bids_server_id_idx on bids (server_id);

-- Who may pay for an auction that is over: one at a time, highest bid first.
create table auction_offers (
  id uuid not null,
  auction_id uuid not null,
  bid_id uuid not null,
  user_id uuid not null,
  server_id uuid,
  amount integer not null,
  status text not null default 'open',
  offered_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  paid_at timestamptz(3),
  payment_id text,
  constraint auction_offers_pkey primary key (id),
  constraint auction_offers_status_check check (status in ('open', 'paid', 'expired', 'refunded', 'refund_due')),
  constraint auction_offers_auction_id_fkey foreign key (auction_id) references auctions (id) on delete cascade on update cascade,
  constraint auction_offers_bid_id_fkey foreign key (bid_id) references bids (id) on delete cascade on update cascade,
  constraint auction_offers_user_id_fkey foreign key (user_id) references users (id) on delete cascade on update cascade,
  constraint auction_offers_server_id_fkey foreign key (server_id) references servers (id) on delete set null on update cascade
);
create unique index auction_offers_bid_id_key on auction_offers (bid_id);
create unique index auction_offers_auction_id_live_key on auction_offers (auction_id) where status in ('open', 'paid');
create index auction_offers_auction_id_idx on auction_offers (auction_id);
create index auction_offers_user_id_idx on auction_offers (user_id);
create index auction_offers_status_expires_at_idx on auction_offers (status, expires_at);

create table placements (
  id uuid not null,
  slot_id uuid not null,
  offer_id uuid not null,
  server_id uuid not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  ended_at timestamptz(3),
  end_reason text,
  constraint placements_pkey primary key (id),
  constraint placements_time_check check (ends_at > starts_at),
  constraint placements_end_check check ((ended_at is null) = (end_reason is null)),
  constraint placements_end_reason_check check (end_reason in ('refunded', 'disputed')),
  constraint placements_slot_id_fkey foreign key (slot_id) references ad_slots (id) on delete restrict on update cascade,
  constraint placements_offer_id_fkey foreign key (offer_id) references auction_offers (id) on delete cascade on update cascade,
  constraint placements_server_id_fkey foreign key (server_id) references servers (id) on delete cascade on update cascade
);
create unique index placements_offer_id_key on placements (offer_id);
create index placements_slot_id_ends_at_idx on placements (slot_id, ends_at);
create index placements_server_id_idx on placements (server_id);
