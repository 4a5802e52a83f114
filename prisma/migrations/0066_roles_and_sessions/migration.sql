-- What opened a session. The ids rewrite the table, 7 s for a million, so no other table is locked here.
-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "browser" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "country" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "public_id" UUID NOT NULL DEFAULT gen_random_uuid(),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "system" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE UNIQUE INDEX "sessions_public_id_key" ON "sessions"("public_id");
