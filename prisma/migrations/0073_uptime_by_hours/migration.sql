-- Uptimes are means of hours: a server that is down is polled less often (docs/decisions/0035).
alter table player_history_daily add column uptime_hours smallint, add column uptime_shares real;
