-- Teams: who else may work on a server, and who is invited.
-- CreateTable
CREATE TABLE "server_members" (
    "server_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "may_use_rcon" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "server_members_pkey" PRIMARY KEY ("server_id","user_id"),
    CONSTRAINT "server_members_role_check" CHECK ("role" IN ('manager', 'viewer')),
    CONSTRAINT "server_members_may_use_rcon_check" CHECK (NOT "may_use_rcon" OR "role" = 'manager')
);

-- CreateTable
CREATE TABLE "server_invitations" (
    "id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "user_id" UUID,
    "email" TEXT,
    "role" TEXT NOT NULL,
    "may_use_rcon" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "server_invitations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "server_invitations_role_check" CHECK ("role" IN ('owner', 'manager', 'viewer')),
    CONSTRAINT "server_invitations_may_use_rcon_check" CHECK (NOT "may_use_rcon" OR "role" = 'manager'),
    CONSTRAINT "server_invitations_recipient_check" CHECK (num_nonnulls("user_id", "email") = 1)
);

-- CreateIndex
CREATE INDEX "server_members_user_id_idx" ON "server_members"("user_id");

-- CreateIndex
CREATE INDEX "server_members_owner_id_idx" ON "server_members"("owner_id");

-- CreateIndex
CREATE INDEX "server_invitations_user_id_idx" ON "server_invitations"("user_id");

-- CreateIndex
CREATE INDEX "server_invitations_owner_id_idx" ON "server_invitations"("owner_id");

-- CreateIndex
CREATE INDEX "server_invitations_email_idx" ON "server_invitations"("email");

-- CreateIndex
CREATE INDEX "server_invitations_expires_at_idx" ON "server_invitations"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "server_invitations_user_key" ON "server_invitations"("server_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "server_invitations_email_key" ON "server_invitations"("server_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "server_invitations_handover_key" ON "server_invitations"("server_id") WHERE (role = 'owner'::text);

-- CreateIndex
CREATE INDEX "users_username_idx" ON "users"("username");

-- AddForeignKey
ALTER TABLE "server_members" ADD CONSTRAINT "server_members_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_members" ADD CONSTRAINT "server_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_members" ADD CONSTRAINT "server_members_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_invitations" ADD CONSTRAINT "server_invitations_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_invitations" ADD CONSTRAINT "server_invitations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "server_invitations" ADD CONSTRAINT "server_invitations_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
