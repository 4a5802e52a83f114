-- AlterTable
ALTER TABLE "billing_accounts" ADD COLUMN     "customer_attempt" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "payment_sessions" ADD COLUMN     "attempt" INTEGER NOT NULL DEFAULT 1;
