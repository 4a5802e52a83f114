// What the commands that list servers work on.
import type { Servers } from '../../src/features/servers/index.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import { withPool } from '../database.ts'

/** Imports features only when a command runs, so that help is printed at once. */
export const withServers = (
  work: (context: { servers: Servers; settings: Settings }) => Promise<number>,
): Promise<number> =>
  withPool(async (pool, settings) => {
    const { createServers } = await import('../../src/features/servers/index.ts')
    const { refuseListings } = await import('../../src/features/listings/index.ts')
    const servers = createServers({ pool, settings, refuse: refuseListings(settings) })
    return await work({ servers, settings })
  })
