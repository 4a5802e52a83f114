-- AlterTable
ALTER TABLE "server_status" ADD COLUMN     "country" TEXT NOT NULL DEFAULT '';
