-- Moderators may restore what moderators have voided. Earlier voidings count as an administrator's.
ALTER TABLE "vote_voidings" ADD COLUMN "by_moderator" BOOLEAN NOT NULL DEFAULT false;
