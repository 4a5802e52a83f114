-- One message a server in a Discord channel, which is edited (docs/decisions/0067-discord-messages.md).

-- CreateTable
CREATE TABLE "discord_messages" (
    "endpoint_id" UUID NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "message_id" TEXT,
    "creation_id" UUID,
    "shown" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_id" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "edited_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "discord_messages_pkey" PRIMARY KEY ("endpoint_id")
);

-- CreateTable
CREATE TABLE "discord_pauses" (
    "scope" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "discord_pauses_pkey" PRIMARY KEY ("scope")
);

-- AddForeignKey
ALTER TABLE "discord_messages" ADD CONSTRAINT "discord_messages_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An endpoint is disabled too once it is unknown whether Discord has created its message.
alter table endpoints drop constraint endpoints_disabled_reason_check;
alter table endpoints add constraint endpoints_disabled_reason_check check (disabled_reason in ('gone', 'failing', 'unconfirmed'));
