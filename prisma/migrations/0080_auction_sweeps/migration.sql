-- When the sweep of auctions last ran: a winner could not pay while the directory was down (docs/decisions/0009).
create table auction_sweeps (
  id smallint not null default 1,
  swept_at timestamptz(3) not null,
  constraint auction_sweeps_pkey primary key (id),
  constraint auction_sweeps_id_check check (id = 1)
);
