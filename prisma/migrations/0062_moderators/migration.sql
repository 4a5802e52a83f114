-- Moderators, and what they hid and locked.
-- AlterTable
ALTER TABLE "server_faces" ADD COLUMN     "locked_by_moderator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "hidden_by_moderator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "is_moderator" BOOLEAN NOT NULL DEFAULT false;
