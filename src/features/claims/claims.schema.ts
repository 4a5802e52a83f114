// Requests and responses of claims.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'

const token = z.string().meta({ examples: ['sd-verify-k3v0q6t2m4x5b1cd'] })
const message = z.string().describe('What to do next, for people')

export const StartedClaim = z.object({ verificationToken: token, message, expiresAt: Timestamp })

export const LAST_CHECKS = ['token_missing', 'silent', 'several_answers', 'token_found'] as const

export const ClaimState = z
  .object({
    status: z
      .enum(['none', 'pending', 'verified', 'expired'])
      .describe('`verified` while your proof of ownership holds; `none` also after another user took the server over'),
    verificationToken: token.nullable().describe('While pending'),
    expiresAt: Timestamp.nullable().describe('When a pending claim expires, or when it expired'),
    checkedAt: Timestamp.nullable().describe('When the server was last checked for the token'),
    lastCheck: z
      .enum(LAST_CHECKS)
      .nullable()
      .describe(
        'What the last check found while the claim is pending. `token_missing`: the server answered without the token; `several_answers`: it gave ' +
          'several answers to one query, so none of them proves anything; `token_found`: it becomes yours at `takeoverAt`',
      ),
    takeoverAt: Timestamp.nullable().describe(
      'If another user has proven the server: the earliest time at which it becomes yours, provided that it keeps showing ' +
        'the token and that owner, who is warned, does not stop the claim. Becomes earlier once the warning mail was sent',
    ),
    message,
  })
  .meta({ id: 'Claim' })

export const ClaimVerification = z.object({ status: z.enum(['pending', 'verified']), message })

export const StopToken = z.object({
  token: z
    .string()
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .meta({ pattern: '^[\\w-]{43}$' }), // described, but not checked: malformed and unknown tokens get the same reply
})

export const StoppedClaims = z.object({
  stopped: z.int().min(0).describe('Number of claims that were stopped'),
  message,
})
