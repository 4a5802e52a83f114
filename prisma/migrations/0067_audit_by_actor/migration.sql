-- no-transaction
-- What an account did, for its own file of data and for the filter of the log's page.
create index concurrently audit_log_actor_id_id_idx on audit_log (actor_id, id);
