// The token by which a server proves who runs it, and what the claimant is told of it.
import { randomBytes } from 'node:crypto'
import type { Standing } from './claims.store.ts'

// Lower case and digits only: games upper-case names, and some drop signs. 32 of them, so that a byte's low bits pick one evenly.
const ALPHABET = 'abcdefghijkmnopqrstuvwxyz0123456'
const RANDOM_LENGTH = 16

/** `sd-verify-` and 80 random bits: 26 characters, since names hold few. */
export function createToken(): string {
  return `sd-verify-${Array.from(randomBytes(RANDOM_LENGTH), (byte) => ALPHABET[byte & 31]).join('')}`
}

export const howToProve = (token: string) =>
  `Put ${token} into the server's name, its rules or its keywords, so that a query of the server shows it. ` +
  'Each poll looks for it, and POST claim/verify does at once. Once it is found the server is yours, and you can remove the token.'

/** What to do next. */
export function describeClaim({ status, claim }: Standing): string {
  if (status === 'verified') return 'You have proven this server yours. You can remove the token from it.'
  if (status === 'expired')
    return claim?.stoppedUntil
      ? `The server’s owner stopped this claim. You can claim the server again from ${claim.stoppedUntil.toISOString()}.`
      : 'The token was not found in time. Start the claim again to get a new one.'
  if (!claim || status === 'none') return 'You do not claim this server. Start with POST /api/servers/{id}/claim.'
  const { checkedAt, serverAnswered, takeoverAt, token } = claim
  if (!checkedAt) return howToProve(token)
  if (serverAnswered === null)
    return `The server gave several answers to one query, so none of them proves anything. ${howToProve(token)}`
  if (takeoverAt)
    return (
      'The server shows your token, but another user has proven it theirs and was warned. It becomes yours at ' +
      `${takeoverAt.toISOString()} at the earliest: leave the token where it is.`
    )
  return `The server ${serverAnswered ? 'answered, but did not show the token' : 'did not answer the query'}. ${howToProve(token)}`
}
