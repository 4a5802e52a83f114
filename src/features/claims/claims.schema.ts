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
    message,
  })
  .meta({ id: 'Claim' })

export const ClaimVerification = z.object({ status: z.enum(['pending', 'verified']), message })
