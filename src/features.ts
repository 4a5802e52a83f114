// Opens and closes the features of the API, for its process and for tests.
import type { Deps } from './deps.ts'
import { createAccounts } from './features/accounts/index.ts'
import { createActivity } from './features/activity/index.ts'
import { createApiKeys } from './features/api-keys/index.ts'
import { createAppearance } from './features/appearance/index.ts'
import { createBilling } from './features/billing/index.ts'
import { createDirectory } from './features/directory/index.ts'
import { requireReadUrl } from './platform/db/read-db.ts'
import { openLimitStore } from './platform/http/limit-stores.ts'
import { createLimits } from './platform/http/limits.ts'

export type Features = Awaited<ReturnType<typeof openFeatures>>

/** Opens all features and loads the directory. Stop them before the deps. */
export async function openFeatures(deps: Deps) {
  const { settings, log } = deps
  await requireReadUrl(settings)
  const store = await openLimitStore({
    store: settings.RATE_LIMIT_STORE,
    url: settings.DATABASE_URL,
    directUrl: settings.DATABASE_DIRECT_URL,
    log,
    primary: deps.primary,
  })
  const limits = createLimits({ store, log })
  const appearance = createAppearance(deps)
  const features = {
    limits,
    appearance,
    directory: createDirectory({ ...deps, appearance }),
    accounts: createAccounts({ ...deps, limits }),
    activity: createActivity(deps),
    apiKeys: createApiKeys(deps),
    billing: createBilling(deps),
    async stop(): Promise<void> {
      await features.activity.stop()
      await features.apiKeys.stop()
      await features.directory.stop()
      await limits.stop()
    },
  }
  try {
    await appearance.refresh()
    await features.directory.start()
    return features
  } catch (error) {
    await features.stop()
    throw error
  }
}
