-- A claim of a listing that somebody else has proven waits for several sightings of its token, and until its owner was warned.

alter table server_claims
  add column takeover_since timestamptz(3),
  add column takeover_seen_at timestamptz(3),
  add column takeover_sightings integer not null default 0,
  add column warned_user_id uuid,
  add column warning_ordered_at timestamptz(3),
  add column warned_at timestamptz(3),
  add column stop_token_hash bytea,
  add column stopped_until timestamptz(3);

create unique index server_claims_stop_token_hash_key on server_claims (stop_token_hash);
