-- Whether a payment is on its way by a method that takes days, such as a bank debit: then no second one is offered.
ALTER TABLE "payment_sessions" ADD COLUMN "is_processing" BOOLEAN NOT NULL DEFAULT false;
