// The token that proves who runs a server, and the messages to the claimant.
import { randomBytes } from 'node:crypto'
import type { LAST_CHECKS } from './claims.schema.ts'
import type { OwnClaim } from './claims.store.ts'

// Lower case and digits only: games convert names to upper case, and some drop punctuation. 32 characters, so that a
// byte's low bits select one evenly.
const ALPHABET = 'abcdefghijkmnopqrstuvwxyz0123456'
const RANDOM_LENGTH = 16

/** `sd-verify-` and 80 random bits: 26 characters, since names hold few. */
export function createClaimToken(): string {
  return `sd-verify-${Array.from(randomBytes(RANDOM_LENGTH), (byte) => ALPHABET[byte & 31]).join('')}`
}

export const proofInstructions = (token: string) =>
  `Put ${token} into the server's name (of Minecraft, its message of the day), its rules or its keywords, so that a query of the server shows it. ` +
  'Each poll looks for it, and POST claim/verify does at once. Once it is found the server is yours, and you can remove the token.'

/** What the last check of the server found; null before the first. */
export function lastCheckOf({ claim }: OwnClaim): (typeof LAST_CHECKS)[number] | null {
  if (!claim?.checkedAt) return null
  if (claim.serverAnswered === null) return 'several_answers'
  if (claim.takeoverAt) return 'token_found'
  return claim.serverAnswered ? 'token_missing' : 'silent'
}

/** What to do next. */
export function describeClaim({ status, claim }: OwnClaim): string {
  if (status === 'verified') return 'You have proven ownership of this server. You can remove the token.'
  if (status === 'expired')
    return claim?.stoppedUntil
      ? `The server’s owner stopped this claim. You can claim the server again from ${claim.stoppedUntil.toISOString()}.`
      : 'The token was not found in time. Start the claim again to get a new one.'
  if (!claim || status === 'none') return 'You have no claim on this server. Start with POST /api/servers/{id}/claim.'
  const { checkedAt, serverAnswered, takeoverAt, token } = claim
  if (!checkedAt) return proofInstructions(token)
  if (serverAnswered === null)
    return `The server gave several answers to one query, so none of them proves anything. ${proofInstructions(token)}`
  if (takeoverAt)
    return (
      'The server shows your token, but another user has proven ownership and was warned. It becomes yours at ' +
      `${takeoverAt.toISOString()} at the earliest: keep the token in place.`
    )
  return `The server ${serverAnswered ? 'answered, but did not show the token' : 'did not answer the query'}. ${proofInstructions(token)}`
}
