-- no-transaction
-- Standings of a month by place. Concurrently, because each vote locks the table.
create index concurrently server_vote_months_month_place_server_id_idx on server_vote_months (month, place, server_id);
