// What the endpoints of claims take and return (api-decisions.md "Server features").
import * as z from 'zod'

const instant = z.iso.datetime({ precision: 3 })
const token = z.string().meta({ examples: ['sd-verify-k3v0q6t2m4x5b1cd'] })
const message = z.string().describe('What to do next, for people')

export const StartedClaim = z.object({ verificationToken: token, message, expiresAt: instant })

export const ClaimState = z
  .object({
    status: z
      .enum(['none', 'pending', 'verified', 'expired'])
      .describe('`verified` while the server is yours by proof; `none` also when another took it over since'),
    verificationToken: token.nullable().describe('While pending'),
    expiresAt: instant.nullable().describe('Of a claim that is pending or expired'),
    checkedAt: instant.nullable().describe('When the token was last looked for'),
    takeoverAt: instant
      .nullable()
      .describe(
        'While the server shows your token but is proven another’s: when it becomes yours at the earliest, if it goes on showing ' +
          'it and the owner, who is warned, does not stop you. Comes closer once the owner’s mail was sent',
      ),
    message,
  })
  .meta({ id: 'Claim' })

export const ClaimVerification = z.object({ status: z.enum(['pending', 'verified']), message })

export const StopToken = z.object({
  token: z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
})

export const StoppedClaims = z.object({
  stopped: z.int().min(0).describe('Number of claims that were stopped'),
  message,
})
