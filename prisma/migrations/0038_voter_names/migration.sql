-- no-transaction
-- Names that differ in case only are one player's (src/features/games/player-keys.ts). The index on username alone stays for the previous
-- release.
create index concurrently votes_server_id_name_key_idx on votes (server_id, lower(lower(username collate "C") collate "default"))
where username <> '';
