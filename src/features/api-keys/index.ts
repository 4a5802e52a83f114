// API keys: operations, and authentication of requests.
import type { Deps } from '../../deps.ts'
import { updateLastUsed } from './api-keys.sql.ts'
import { createKeyAuthenticator } from './authenticator.ts'
import { createUsageRecorder } from './usage-recorder.ts'

export { apiKeysOperations } from './api-keys.operations.ts'
export { revokeKeysOf } from './api-keys.sql.ts'
export { RATE_LIMITS, TIERS, type Tier } from './tiers.ts'

/** `stop` stores the last uses; call it when no more requests arrive. */
export function createApiKeys({ pool, log }: Pick<Deps, 'pool' | 'log'>) {
  const usage = createUsageRecorder({ write: (uses) => updateLastUsed(pool, uses), log })
  return { ...createKeyAuthenticator({ pool, usage }), stop: usage.stop }
}
