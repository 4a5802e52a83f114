-- Voiding of votes (docs/decisions/0075): where a vote came from, and which votes are voided.

-- CreateTable
CREATE TABLE "vote_visitors" (
    "visitor_key" BYTEA NOT NULL,
    "first_voted_at" TIMESTAMPTZ(3) NOT NULL,
    "last_voted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "vote_visitors_pkey" PRIMARY KEY ("visitor_key")
);

/* Of a visitor's id, which itself stays with the votes only. */
create function visitor_key(visitor_id text) returns bytea
language sql immutable strict parallel safe
return substring(sha256(convert_to(visitor_id, 'UTF8')) for 16);

-- Before a table is locked.
insert into vote_visitors (visitor_key, first_voted_at, last_voted_at)
select visitor_key(visitor_id), min(voted_at), max(voted_at) from votes group by 1;

-- CreateIndex
CREATE INDEX "vote_visitors_last_voted_at_idx" ON "vote_visitors"("last_voted_at");

-- AlterTable
ALTER TABLE "server_counters" ADD COLUMN     "voided_votes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "server_vote_months" ADD COLUMN     "corrected_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "votes" ADD COLUMN     "from_page" BOOLEAN,
ADD COLUMN     "network_key" TEXT,
ADD COLUMN     "network_owner" BIGINT,
ADD COLUMN     "voiding_id" UUID;

-- CreateTable
CREATE TABLE "vote_voidings" (
    "id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "selection" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'voiding',
    "after_server" UUID,
    "after_number" INTEGER NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),
    "restored_by" UUID,
    "restored_at" TIMESTAMPTZ(3),

    CONSTRAINT "vote_voidings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vote_voiding_servers" (
    "voiding_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "votes" INTEGER NOT NULL,
    "restored" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "vote_voiding_servers_pkey" PRIMARY KEY ("voiding_id","server_id")
);

-- CreateIndex
CREATE INDEX "vote_voiding_servers_server_id_idx" ON "vote_voiding_servers"("server_id");

-- AddForeignKey
ALTER TABLE "vote_voiding_servers" ADD CONSTRAINT "vote_voiding_servers_voiding_id_fkey" FOREIGN KEY ("voiding_id") REFERENCES "vote_voidings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vote_voiding_servers" ADD CONSTRAINT "vote_voiding_servers_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

alter table vote_voidings add constraint vote_voidings_status_check check (status in ('voiding', 'voided', 'restoring', 'restored'));

-- Streaks are counted again when votes are voided, restored or deleted (docs/decisions/0064). These replace the loop of the trigger.
create type vote_run as (days integer, started_at timestamptz, counted_at timestamptz, last_voted_at timestamptz);

/* The run with one more vote of the same voter, which is not earlier: the same as the vote's own statement decides. */
create function next_in_run(run vote_run, voted timestamptz) returns vote_run language plpgsql immutable parallel safe as $$
begin
  if run.days is null or run.last_voted_at < voted - interval '48 hours' then
    return (1, voted, voted, voted);
  elsif run.counted_at <= voted - interval '24 hours' then
    return (run.days + 1, run.started_at, voted, voted);
  end if;
  return (run.days, run.started_at, run.counted_at, voted);
end $$;

/* The last run of votes in the order of their times. */
create aggregate last_run(timestamptz) (sfunc = next_in_run, stype = vote_run);

/*
 * Counts the streaks of these voters again, from the votes that count: those of the last days, and more where they reach further back.
 * Call it behind the lock on the server's counter, which orders all its votes.
 */
create function recount_streaks(of_server uuid, voters bytea[]) returns void language plpgsql as $$
declare
  earliest timestamptz;
  width interval := interval '4 days';
  after timestamptz := (select max(voted_at) - width from votes where server_id = of_server);
begin
  loop
    select min(voted_at) into earliest from votes
    where server_id = of_server and voted_at >= after and voiding_id is null and voter_key = any(voters);
    exit when earliest is null or earliest > after + interval '48 hours'
      or not exists (select from votes where server_id = of_server and voted_at < after);
    after := after - width;
    width := width * 2;
  end loop;

  with counted as (
    select voter_key, last_run(voted_at order by voted_at) as run
    from votes
    where server_id = of_server and voted_at >= after and voiding_id is null and voter_key = any(voters)
    group by voter_key),
  ended as (
    delete from vote_streaks
    where server_id = of_server and voter_key = any(voters) and voter_key not in (select voter_key from counted))
  insert into vote_streaks as streak (server_id, voter_key, days, started_at, counted_at, last_voted_at)
  select of_server, voter_key, (run).days, (run).started_at, (run).counted_at, (run).last_voted_at
  from counted
  order by voter_key
  on conflict (server_id, voter_key) do update set
    days = excluded.days, started_at = excluded.started_at, counted_at = excluded.counted_at, last_voted_at = excluded.last_voted_at;
end $$;

create or replace function recount_vote_streaks() returns trigger language plpgsql as $$
declare
  touched record;
begin
  for touched in
    select server_id, array_agg(voter_key) as voters
    from (
      select server_id, voter_key from vote_streaks
      where (server_id, voter_key) in (select server_id, voter_key from deleted_votes)
      order by server_id, voter_key
      for update) as streak
    group by server_id
  loop
    perform recount_streaks(touched.server_id, touched.voters);
  end loop;
  return null;
end $$;
