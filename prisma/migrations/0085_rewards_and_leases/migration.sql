-- Attempts of a server's rewards that sent nothing, since the last login: further ones wait for each other (docs/decisions/0034).
alter table vote_reward_settings
  add column failures integer not null default 0,
  add column failed_at timestamptz(3),
  add column closed_at_login boolean not null default false;
-- Each worker looks for expired leases every 3 s. Not concurrently: endpoints are few beside votes and polls.
create index endpoints_leased_until_idx on endpoints (leased_until) where leased_until is not null and disabled_at is null;
