-- Reminders to vote again (docs/decisions/0065), and the keys with which push services know the directory.
-- CreateTable
CREATE TABLE "vote_reminders" (
    "id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "visitor_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "user_id" UUID,
    "subscription" TEXT,
    "language" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "unused" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "vote_reminders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_keys" (
    "id" UUID NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "vote_reminders_server_id_visitor_id_channel_key" ON "vote_reminders"("server_id", "visitor_id", "channel");

-- CreateIndex
CREATE INDEX "vote_reminders_user_id_idx" ON "vote_reminders"("user_id");

-- AddForeignKey
ALTER TABLE "vote_reminders" ADD CONSTRAINT "vote_reminders_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "vote_reminders" ADD CONSTRAINT "vote_reminders_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A push message goes to a browser, a mail to an account.
alter table vote_reminders add constraint vote_reminders_channel_check
  check ((channel = 'push' and subscription is not null and user_id is null)
    or (channel = 'email' and user_id is not null and subscription is null));

-- One row: the processes that start first agree on it.
create unique index push_keys_one_idx on push_keys ((true));
