-- The cap of votes for each client address and server, the administrators' view of it, and votes that owners send themselves.

alter table votes add column is_by_owner boolean not null default false;

-- A row a vote, kept for some days. address_key is a keyed hash of the client's network; '' for a vote that the owner sent.
create table vote_addresses (
  server_id uuid not null,
  address_key text not null,
  voted_at timestamptz(3) not null,
  number integer not null,
  constraint vote_addresses_pkey primary key (server_id, address_key, voted_at, number)
);

-- How many votes each address has cast for each server since then, `most` at most. Volatile, so that it reads with a snapshot of its
-- own: called behind a lock, it sees what was committed while the calling statement waited for that lock.
create function count_address_votes(server_ids uuid[], address_keys text[], since timestamptz, most integer)
returns table (server_id uuid, address_key text, votes integer)
language plpgsql volatile as $$
begin
  return query
    select pair.server_id, pair.address_key, (
      select count(*)::integer
      from (
        select from vote_addresses as vote
        where vote.server_id = pair.server_id and vote.address_key = pair.address_key and vote.voted_at > since
        limit most) as recent)
    from unnest(server_ids, address_keys) as pair (server_id, address_key);
end $$;
