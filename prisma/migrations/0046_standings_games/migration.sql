-- The games of months before 0043. Locks rows of finished months only, so that votes go on.
update server_vote_months set game = servers.game from servers where servers.id = server_id and server_vote_months.game is null;
