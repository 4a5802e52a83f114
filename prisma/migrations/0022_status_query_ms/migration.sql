-- Round trip of the last answered poll.
alter table server_status add column query_ms smallint;
