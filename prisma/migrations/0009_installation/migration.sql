-- Which database this is: a restored copy carries the mark of the one it was dumped from, and holds back what reaches others.
create table installation (
  id boolean not null default true,
  fingerprint text not null,
  adopted_at timestamptz(3) not null default current_timestamp,
  constraint installation_pkey primary key (id),
  constraint installation_id_check check (id)
);
