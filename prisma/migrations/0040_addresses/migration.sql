-- AlterTable
ALTER TABLE "server_status" ADD COLUMN     "bedrock_online" BOOLEAN,
ADD COLUMN     "current_bots" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "has_password" BOOLEAN,
ADD COLUMN     "java_online" BOOLEAN;

-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "bedrock_address" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "bedrock_port" INTEGER,
ADD COLUMN     "game_port_given" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "name_from_server" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "server_profiles" (
    "server_id" UUID NOT NULL,
    "profile" JSONB NOT NULL,
    "icon_hash" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "server_profiles_pkey" PRIMARY KEY ("server_id")
);

-- CreateTable
CREATE TABLE "icons" (
    "hash" TEXT NOT NULL,
    "png" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "icons_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "server_profiles_icon_hash_idx" ON "server_profiles"("icon_hash");

-- AddForeignKey
ALTER TABLE "server_profiles" ADD CONSTRAINT "server_profiles_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_profiles" ADD CONSTRAINT "server_profiles_icon_hash_fkey" FOREIGN KEY ("icon_hash") REFERENCES "icons"("hash") ON DELETE RESTRICT ON UPDATE CASCADE;
