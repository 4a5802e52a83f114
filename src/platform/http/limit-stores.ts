// Stores of request counts: the memory of this process or of its primary, PostgreSQL or Redis, behind one interface
// (setting RATE_LIMIT_STORE).
import type { Peer } from '../processes/peer.ts'
import { allowanceStore } from './fast-path/allowance-store.ts'
import { memoryStore } from './fast-path/memory-limits.ts'
import type { LimitStore, SharedLimitStore } from './limit-policy.ts'
import type { SharedStoreOptions } from './shared-limit-stores.ts'

interface StoreOptions extends SharedStoreOptions {
  /** The primary of several processes: `memory` is then the primary's. */
  primary?: Peer | undefined
}

export async function openLimitStore(options: StoreOptions): Promise<LimitStore | SharedLimitStore> {
  if (options.store === 'memory') return options.primary ? allowanceStore(options.primary) : memoryStore()
  const { openPostgresStore, openRedisStore } = await import('./shared-limit-stores.ts')
  return options.store === 'postgres' ? openPostgresStore(options) : await openRedisStore(options)
}
