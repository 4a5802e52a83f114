-- What visitors did with a server on a day (docs/decisions/0068-numbers-for-owners.md).

-- CreateTable
CREATE TABLE "server_activity" (
    "server_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "views" INTEGER NOT NULL DEFAULT 0,
    "crawler_views" INTEGER NOT NULL DEFAULT 0,
    "copies" INTEGER NOT NULL DEFAULT 0,
    "joins" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "server_activity_pkey" PRIMARY KEY ("server_id","day")
);

-- CreateIndex
CREATE INDEX "server_activity_day_idx" ON "server_activity"("day");

-- AddForeignKey
ALTER TABLE "server_activity" ADD CONSTRAINT "server_activity_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
