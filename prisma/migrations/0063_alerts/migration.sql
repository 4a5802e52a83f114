-- Alerts on favorites, and the browsers that get them by push (docs/decisions/0074).
-- CreateTable
CREATE TABLE "favorite_alerts" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "threshold" INTEGER,
    "away_since" TIMESTAMPTZ(3),
    "rung_at" TIMESTAMPTZ(3),
    "notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "favorite_alerts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_browsers" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "endpoint_hash" TEXT NOT NULL,
    "subscription" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_browsers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "favorite_alerts_server_id_kind_idx" ON "favorite_alerts"("server_id", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "favorite_alerts_user_id_server_id_kind_key" ON "favorite_alerts"("user_id", "server_id", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "push_browsers_endpoint_hash_key" ON "push_browsers"("endpoint_hash");

-- CreateIndex
CREATE INDEX "push_browsers_user_id_idx" ON "push_browsers"("user_id");

-- AddForeignKey
ALTER TABLE "favorite_alerts" ADD CONSTRAINT "favorite_alerts_user_id_server_id_fkey" FOREIGN KEY ("user_id", "server_id") REFERENCES "favorites"("user_id", "server_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_browsers" ADD CONSTRAINT "push_browsers_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A number of people for the kinds that are about it, and for no other.
alter table favorite_alerts add constraint favorite_alerts_kind_check
  check ((kind in ('playersAtLeast', 'playersAtMost') and threshold is not null)
    or (kind in ('backOnline', 'wipeSoon') and threshold is null));
