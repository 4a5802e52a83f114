-- no-transaction
-- Concurrently, because votes are a large table. It contains voided votes only.
create index concurrently votes_voiding_id_server_id_number_idx on votes (voiding_id, server_id, number) where voiding_id is not null;
