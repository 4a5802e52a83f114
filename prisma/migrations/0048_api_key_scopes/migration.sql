-- What a key may be used for. The keys of today keep all; so do keys that processes of the previous release create.
alter table "api_keys" add column "scopes" text[] not null default array['read', 'votes', 'servers:write', 'endpoints', 'rcon']::text[];
