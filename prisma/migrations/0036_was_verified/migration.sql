-- Which servers were listed before where LISTING_REQUIRES_VERIFICATION is on: the feed reports no others as removed.
-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "was_verified" BOOLEAN NOT NULL DEFAULT false;

-- A trigger, because the previous release ends verifications too while it runs on this schema.
create function set_was_verified() returns trigger language plpgsql as $$
begin
  new.was_verified := true;
  return new;
end $$;
create trigger servers_was_verified before update of is_verified on servers
  for each row when (old.is_verified and not new.is_verified) execute function set_was_verified();

update servers set was_verified = true
where not is_verified and exists (select from server_claims where server_id = servers.id and verified_at is not null);
