-- no-transaction
-- The spellings of a Steam identifier are one player's (src/features/games/player-keys.ts). The index on game_platform_id alone stays for
-- the previous release.
create index concurrently votes_server_id_platform_id_key_idx on votes (server_id, (coalesce(
  substring(game_platform_id from '(?i)^(?:(?:https?://)?(?:www\.)?steamcommunity\.com/profiles/)?([0-9]{17})(?:[/?].*)?$'),
  (76561197960265728 + substring(game_platform_id from '(?i)^(?:(?:https?://)?(?:www\.)?steamcommunity\.com/profiles/)?\[?U:1:([0-9]{1,10})\]?(?:[/?].*)?$')::bigint)::text,
  (76561197960265728 + 2 * substring(game_platform_id from '(?i)^(?:(?:https?://)?(?:www\.)?steamcommunity\.com/profiles/)?STEAM_[01]:[01]:([0-9]{1,10})(?:[/?].*)?$')::bigint
    + substring(game_platform_id from '(?i)^(?:(?:https?://)?(?:www\.)?steamcommunity\.com/profiles/)?STEAM_[01]:([01]):[0-9]{1,10}(?:[/?].*)?$')::bigint)::text,
  ('x0' || substring(game_platform_id from '(?i)^steam:(1100001[0-9a-f]{8})$'))::bit(64)::bigint::text,
  game_platform_id)))
where game_platform_id <> '';
