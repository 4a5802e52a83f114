-- Moderators, what they hid and locked, and what opened a session. The ids rewrite the table of sessions: a second for a million.
-- AlterTable
ALTER TABLE "server_faces" ADD COLUMN     "locked_by_moderator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "hidden_by_moderator" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "browser" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "country" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "public_id" UUID NOT NULL DEFAULT gen_random_uuid(),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "system" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "is_moderator" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "sessions_public_id_key" ON "sessions"("public_id");
