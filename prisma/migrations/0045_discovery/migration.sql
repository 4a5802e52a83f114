-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "forgotten_at" TIMESTAMPTZ(3),
ADD COLUMN     "source" TEXT;

-- CreateTable
CREATE TABLE "discovery_sources" (
    "source" TEXT NOT NULL,
    "next_run_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "found" INTEGER NOT NULL DEFAULT 0,
    "added" INTEGER NOT NULL DEFAULT 0,
    "returned" INTEGER NOT NULL DEFAULT 0,
    "missing" INTEGER NOT NULL DEFAULT 0,
    "refused" JSONB NOT NULL DEFAULT '{}',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "discovery_sources_pkey" PRIMARY KEY ("source")
);

-- CreateTable
CREATE TABLE "discovery_blocks" (
    "id" UUID NOT NULL,
    "network" cidr,
    "host" TEXT,
    "port" INTEGER,
    "game" TEXT,
    "name_pattern" TEXT,
    "is_opt_out" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT NOT NULL DEFAULT '',
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discovery_blocks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "discovery_blocks_created_by_idx" ON "discovery_blocks"("created_by");

-- CreateIndex
CREATE INDEX "servers_removed_address_idx" ON "servers"("ip_address", "query_port") WHERE (deleted_at IS NOT NULL);

-- AddForeignKey
ALTER TABLE "discovery_blocks" ADD CONSTRAINT "discovery_blocks_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
