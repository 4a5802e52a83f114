-- no-transaction
-- Months whose places are to be counted.
create index concurrently server_vote_months_unranked_idx on server_vote_months (month) where not is_ranked;
