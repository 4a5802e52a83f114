// A challenge as ALTCHA's widget and libraries take it, and its solution as they send it.
import * as z from 'zod'

const Parameters = z.object({
  algorithm: z.literal('PBKDF2/SHA-256'),
  cost: z.int().describe('Iterations of PBKDF2'),
  keyLength: z.int().describe('Bytes of the derived key'),
  keyPrefix: z.string().describe('In hexadecimal; the key derived from the solution begins with it'),
  nonce: z.string().describe('In hexadecimal; the password is the nonce, followed by a counter of 32 bits'),
  salt: z.string().describe('In hexadecimal'),
  expiresAt: z.int().describe('Epoch seconds'),
  data: z.object({ serverId: z.string() }).describe('The server that the solution is valid for'),
})

const Challenge = z.object({ parameters: Parameters, signature: z.string() })
export type Challenge = z.output<typeof Challenge>

export const VoteChallenge = z
  .object({
    required: z.boolean().describe('Whether a vote needs a proof of work; if not, the other fields are missing'),
    ...Challenge.partial().shape,
  })
  .meta({ id: 'VoteChallenge' })

/** What a proof of work holds. */
export const SolvedChallenge = z.object({
  challenge: Challenge,
  solution: z.object({ counter: z.int(), derivedKey: z.string() }),
})
export type SolvedChallenge = z.output<typeof SolvedChallenge>
