-- What was sold stays sold when the account of its buyer is deleted (docs/decisions/0009).
alter table auctions add column sold_at timestamptz(3);

-- AlterTable
alter table placements
  alter column offer_id drop not null,
  drop constraint placements_offer_id_fkey,
  add constraint placements_offer_id_fkey foreign key (offer_id) references auction_offers (id) on delete set null on update cascade;
