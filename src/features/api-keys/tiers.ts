// The limit of each subscription tier, for all API keys of an account together.
import type { LimitPolicy } from '../../platform/http/limit-policy.ts'

export const TIERS = ['free', 'standard', 'premium', 'enterprise'] as const
export type Tier = (typeof TIERS)[number]

/** Requests per minute. */
export const RATE_LIMITS: Record<Tier, number> = { free: 10, standard: 100, premium: 1_000, enterprise: 10_000 }

/** One list per tier: the limits cache a list’s description by its identity. */
export const TIER_POLICIES = Object.fromEntries(
  TIERS.map((tier) => [tier, [{ name: tier, limit: RATE_LIMITS[tier], windowSeconds: 60 }]]),
) as Record<Tier, LimitPolicy[]>
