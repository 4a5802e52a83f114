-- CreateTable
CREATE TABLE "announcements" (
    "address" TEXT NOT NULL,
    "query_port" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "game" TEXT NOT NULL,
    "game_port" INTEGER NOT NULL,
    "host" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "details" JSONB,
    "announced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checked_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "refusal" TEXT,
    "is_withdrawn" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "announcements_pkey" PRIMARY KEY ("address","query_port")
);

-- CreateIndex
CREATE INDEX "announcements_unanswered_idx" ON "announcements"("network") WHERE (answered_at IS NULL);

-- CreateIndex
CREATE INDEX "announcements_answered_idx" ON "announcements"("game", "announced_at") WHERE (answered_at IS NOT NULL);
