-- When an offer of an auction could not be paid, for a reason that is not its bidder's.
create table auction_offer_obstacles (
  offer_id uuid not null,
  kind text not null,
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint auction_offer_obstacles_pkey primary key (offer_id, kind, began_at),
  constraint auction_offer_obstacles_kind_check check (kind in ('slot_inactive', 'billing_off', 'provider_unavailable')),
  constraint auction_offer_obstacles_offer_id_fkey foreign key (offer_id) references auction_offers (id) on delete cascade on update cascade
);
create unique index auction_offer_obstacles_standing_key on auction_offer_obstacles (offer_id, kind) where ended_at is null;

-- When a slot was inactive, to the millisecond, whatever wrote it: also a process of the previous release.
create table ad_slot_pauses (
  slot_id uuid not null,
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint ad_slot_pauses_pkey primary key (slot_id, began_at),
  constraint ad_slot_pauses_slot_id_fkey foreign key (slot_id) references ad_slots (id) on delete cascade on update cascade
);
create function record_ad_slot_pause() returns trigger language plpgsql as $$
begin
  if new.is_active then
    update ad_slot_pauses set ended_at = date_trunc('milliseconds', clock_timestamp())
    where slot_id = new.id and ended_at is null;
  else
    insert into ad_slot_pauses (slot_id, began_at) values (new.id, date_trunc('milliseconds', clock_timestamp()))
    on conflict (slot_id, began_at) do update set ended_at = null;
  end if;
  return null;
end $$;
create trigger ad_slots_paused_at_insert after insert on ad_slots
  for each row when (not new.is_active) execute function record_ad_slot_pause();
create trigger ad_slots_paused after update of is_active on ad_slots
  for each row when (old.is_active is distinct from new.is_active) execute function record_ad_slot_pause();
insert into ad_slot_pauses (slot_id, began_at) select id, updated_at from ad_slots where not is_active;

create index payment_sessions_reference_idx on payment_sessions (reference) where reference is not null;
