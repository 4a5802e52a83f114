// Proof of work for votes (setting VOTE_PROOF): issues challenges, and accepts the solution of each once
// (docs/decisions/0043).
import { createHmac } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Clock } from '../../../deps.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { votesTotal } from '../votes.metrics.ts'
import { type Challenge, SolvedChallenge } from './proofs.schema.ts'
import { markProofUsed } from './proofs.sql.ts'

const TTL_MS = 10 * 60_000

/** A browser tries 256 keys on average, which takes it about a second. Checking a solution takes 2 ms. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 10_000, keyLength: 32, keyPrefix: '00' } as const

/** Codes of 400 of a vote without a valid proof of work. */
export const PROOF_CODES = ['proof_required', 'proof_invalid', 'proof_expired', 'proof_used'] as const

/** @param options.secret APP_SECRET: challenges are signed, so none is stored */
export function createVoteProofs({ secret, clock }: { secret: string; clock: Clock }) {
  const hmacSignatureSecret = createHmac('sha256', secret).update('vote proofs').digest('base64url')
  return {
    /** A task that proves one vote for this server. */
    async challenge(serverId: string): Promise<Challenge> {
      const expiresAt = new Date(clock() + TTL_MS)
      const data = { serverId }
      return (await createChallenge({ ...WORK, deriveKey, expiresAt, data, hmacSignatureSecret })) as Challenge
    },
    /** Accepts a proof of work once, over all processes; the server's owner needs none. @throws ApiError 400 */
    async spend(
      db: Db,
      { serverId, senderId, proof }: { serverId: string; senderId: string | null; proof: string | undefined },
    ): Promise<void> {
      if (!proof) {
        if (senderId && (await db.prisma.server.count({ where: { id: serverId, ownerId: senderId } }))) return
        throw refused('proof_required', 'A vote needs a proof of work, which a page makes by a script.')
      }
      const solved = readProof(proof)
      const result = solved && (await verifySolution({ ...solved, deriveKey, hmacSignatureSecret }))
      if (result?.expired) throw refused('proof_expired', 'The challenge has expired. Solve a new one.')
      if (!solved || !result?.verified || solved.challenge.parameters.data.serverId !== serverId)
        throw refused('proof_invalid', 'The proof of work does not solve a challenge of this server.')
      const { nonce, expiresAt } = solved.challenge.parameters
      if (!(await markProofUsed(db, { nonce, expiresAt: new Date(expiresAt * 1000) })))
        throw refused('proof_used', 'The proof of work has been used. Solve a new challenge.')
    },
  }
}

/** @returns undefined if it is no ALTCHA payload */
function readProof(proof: string): SolvedChallenge | undefined {
  try {
    return SolvedChallenge.parse(JSON.parse(Buffer.from(proof, 'base64').toString()))
  } catch {
    return undefined
  }
}

function refused(code: (typeof PROOF_CODES)[number], message: string): ApiError {
  votesTotal.inc({ outcome: 'proof' })
  return new ApiError(400, code, message)
}
