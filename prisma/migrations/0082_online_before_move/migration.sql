-- The state that was announced last, of a listing whose address, ports or game have changed since; null once polls of the new place have
-- decided.
alter table server_status add column online_before_move boolean;
