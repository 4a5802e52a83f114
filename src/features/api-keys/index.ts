// API keys: operations, and authentication of requests.
export { apiKeysOperations } from './api-keys.operations.ts'
export { revokeKeysOf } from './api-keys.sql.ts'
export { createApiKeys, requireUnrevokedKey } from './authenticator.ts'
export { personalData } from './personal-data.ts'
export { RATE_LIMITS, TIERS, type Tier } from './tiers.ts'
