-- Player history in compressed chunks (docs/decisions/0035). player_history gets no more rows; a job converts what it has.

-- What polls append: the samples that are not rolled up yet, one after the other, as player_history_sample writes them.
-- Rows grow by a few bytes per poll and shrink each hour; free room in the page keeps updates there.
create table player_history_recent (
  server_id uuid not null,
  samples bytea not null,
  constraint player_history_recent_pkey primary key (server_id)
) with (fillfactor = 50);
alter table player_history_recent alter column samples set storage external;

-- The rolled-up samples of days that have not ended, rewritten each hour.
create table player_history_open (
  server_id uuid not null,
  day date not null,
  samples bytea not null,
  constraint player_history_open_pkey primary key (server_id, day)
) with (fillfactor = 50);
-- Compressed already.
alter table player_history_open alter column samples set storage external;

-- The samples of a server and day that has ended; partitions are in the schema player_history_days.
create table player_history_chunks (
  server_id uuid not null,
  day date not null,
  samples bytea not null,
  constraint player_history_chunks_pkey primary key (server_id, day)
) partition by range (day);
alter table player_history_chunks alter column samples set storage external;

-- One row: samples before rolled_to are in player_history_hours; rows of player_history before the hour converted_to, and
-- of that hour those of servers up to converted_server, are in chunks.
create table player_history_progress (
  id boolean not null default true,
  rolled_to timestamptz(3),
  converted_to timestamptz(3),
  converted_server uuid not null default '00000000-0000-0000-0000-000000000000',
  constraint player_history_progress_pkey primary key (id),
  constraint player_history_progress_one_row check (id)
);
insert into player_history_progress (rolled_to) select max(hour) + interval '1 hour' from player_history_hours;

-- A count in a sample: one byte up to 253, else five. 0: no answer.
create function player_history_count(n integer) returns bytea language sql immutable parallel safe as $$
  select case
    when n is null then '\x00'::bytea
    when n between 0 and 253 then set_byte('\x00', 0, n + 1)
    else '\xff'::bytea || int4send(n) end
$$;

-- A sample as src/features/history/sample-bytes.ts reads it: a mark, seconds since 2020, players, slots.
create function player_history_sample(at timestamptz, players integer, max_players integer) returns bytea
language sql stable parallel safe as $$
  select '\x01'::bytea || int4send((floor(date_part('epoch', at)) - 1577836800)::integer)
    || player_history_count(players) || player_history_count(max_players)
$$;
