-- Streaks of votes (docs/decisions/0064): days in a row with a vote of the same voter for the same server.
-- AlterTable
ALTER TABLE "vote_cooldowns" ADD COLUMN     "voter_key" BYTEA;

-- AlterTable
ALTER TABLE "votes" ADD COLUMN     "voter_key" BYTEA,
ADD COLUMN     "streak" INTEGER;

-- CreateTable
CREATE TABLE "vote_streaks" (
    "server_id" UUID NOT NULL,
    "voter_key" BYTEA NOT NULL,
    "days" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,
    "last_voted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "vote_streaks_pkey" PRIMARY KEY ("server_id","voter_key")
);

-- Room for a voter's next vote on the same page, without an entry in the index.
alter table vote_streaks set (fillfactor = 80);

-- Votes that are deleted do not count: the streaks that contain them are counted again, from the votes that remain of them.
create function recount_vote_streaks() returns trigger language plpgsql as $$
declare
  streak vote_streaks;
  counted vote_streaks;
  voted timestamptz;
begin
  for streak in
    select * from vote_streaks
    where (server_id, voter_key) in (select server_id, voter_key from deleted_votes)
    order by server_id, voter_key
    for update
  loop
    counted := null;
    for voted in
      select voted_at from votes
      where server_id = streak.server_id and voter_key = streak.voter_key and voted_at >= streak.started_at
      order by voted_at
    loop
      if counted.days is null or counted.last_voted_at < voted - interval '48 hours' then
        counted.days := 1;
        counted.started_at := voted;
        counted.counted_at := voted;
      elsif counted.counted_at <= voted - interval '24 hours' then
        counted.days := counted.days + 1;
        counted.counted_at := voted;
      end if;
      counted.last_voted_at := voted;
    end loop;
    if counted.days is null then
      delete from vote_streaks where server_id = streak.server_id and voter_key = streak.voter_key;
    else
      update vote_streaks
      set days = counted.days, started_at = counted.started_at, counted_at = counted.counted_at, last_voted_at = counted.last_voted_at
      where server_id = streak.server_id and voter_key = streak.voter_key;
    end if;
  end loop;
  return null;
end $$;
create trigger votes_deleted after delete on votes
  referencing old table as deleted_votes for each statement execute function recount_vote_streaks();
