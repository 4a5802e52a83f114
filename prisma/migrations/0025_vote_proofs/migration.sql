-- CreateTable
CREATE TABLE "vote_proofs" (
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "nonce" TEXT NOT NULL,

    CONSTRAINT "vote_proofs_pkey" PRIMARY KEY ("expires_at","nonce")
);
