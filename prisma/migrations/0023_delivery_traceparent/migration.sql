-- AlterTable
ALTER TABLE "endpoint_deliveries" ADD COLUMN     "traceparent" TEXT;
