-- Standings of finished months (docs/decisions/0055): the places that votes gave, and the game a server had then. Each vote locks the table,
-- so the migrations 0046 to 0051 do what takes long.
-- AlterTable
ALTER TABLE "server_vote_months" ADD COLUMN     "game" TEXT,
ADD COLUMN     "place" INTEGER,
ADD COLUMN     "place_in_game" INTEGER,
ADD COLUMN     "is_ranked" BOOLEAN NOT NULL DEFAULT false;

-- A trigger, because votes of the previous release archive months too, and because every change of a month's votes must be ranked.
create function set_vote_month() returns trigger language plpgsql as $$
begin
  new.is_ranked := false;
  if new.game is null then
    new.game := (select game from servers where id = new.server_id);
  end if;
  return new;
end $$;
create trigger server_vote_months_changed before insert or update of votes on server_vote_months
  for each row execute function set_vote_month();
