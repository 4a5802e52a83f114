-- no-transaction
-- Answers of rewards, which are encrypted again after APP_SECRET was changed. Concurrently, because rewards are a large table.
create index concurrently vote_rewards_vote_id_idx on vote_rewards (vote_id) where answer is not null;
