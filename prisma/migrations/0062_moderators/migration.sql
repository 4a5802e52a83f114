-- Moderators, and what they hid and locked.
-- AlterTable
ALTER TABLE "server_faces" ADD COLUMN IF NOT EXISTS "locked_by_moderator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "servers" ADD COLUMN IF NOT EXISTS "hidden_by_moderator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "users" ADD COLUMN IF NOT EXISTS "is_moderator" BOOLEAN NOT NULL DEFAULT false;
