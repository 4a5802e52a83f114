-- Scores (docs/decisions/0054): what votes and playing count over time. Exact integers, so that neither the order of arrival nor the
-- removal of a vote leaves a trace.

/* Whole hours since the start of 2024, which all weights are relative to. Earlier votes count as of then. */
create function score_hour(at timestamptz) returns integer
language sql immutable strict parallel safe
return greatest(0, floor(extract(epoch from at - timestamptz '2024-01-01 00:00:00+00') / 3600)::integer);

/* What a vote of this hour adds: twice as much as one of 240 hours before. */
create function score_weight(hour integer) returns numeric
language sql immutable strict parallel safe
return round(power(2::float8, 20 + (hour % 240) / 240::float8))::numeric * round(power(2::numeric, hour / 240));

/* What a vote of this time adds to its server's score, and takes from it if the vote is removed. */
create function vote_weight(at timestamptz) returns numeric
language sql immutable strict parallel safe
return score_weight(score_hour(at));

-- The votes so far are added up before the table is locked.
create temporary table counted_votes on commit drop as
with counted as (
  select server_id, score_hour(voted_at) as hour, count(*) as votes, max(number) as number from votes group by 1, 2),
weights as materialized (
  select hour, score_weight(hour) as weight from (select distinct hour from counted) as hours)
select server_id, max(number) as number, sum(votes * weight) as score
from counted join weights using (hour)
group by server_id;
alter table counted_votes add primary key (server_id);
analyze counted_votes;

-- AlterTable
ALTER TABLE "server_counters" ADD COLUMN     "vote_score" numeric NOT NULL DEFAULT 0,
ADD COLUMN     "play_score" numeric NOT NULL DEFAULT 0,
ADD COLUMN     "played_to" TIMESTAMPTZ(3);

update server_counters as counters
set vote_score = coalesce(counted.score, 0) + case when all_counters.total_votes > coalesce(counted.number, 0) then (
  select coalesce(sum(vote_weight(voted_at)), 0) from votes
  where votes.server_id = all_counters.server_id and votes.number > coalesce(counted.number, 0)) else 0 end
from server_counters as all_counters left join counted_votes as counted using (server_id)
where counters.server_id = all_counters.server_id and counters.total_votes > 0;

-- The previous release counts votes without their weight while it runs on this schema. The next release drops this.
create function add_vote_weight() returns trigger language plpgsql as $$
begin
  new.vote_score := old.vote_score + (new.total_votes - old.total_votes) * vote_weight(now());
  return new;
end $$;
create trigger server_counters_vote_weight before update of total_votes on server_counters
  for each row when (new.total_votes > old.total_votes and new.vote_score = old.vote_score) execute function add_vote_weight();
