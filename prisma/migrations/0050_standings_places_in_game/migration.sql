-- no-transaction
-- Standings of a month among the servers of a game.
create index concurrently server_vote_months_month_game_place_in_game_server_id_idx on server_vote_months (month, game, place_in_game, server_id);
