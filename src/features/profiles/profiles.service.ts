// The daily upkeep of profiles.
import type { Deps } from '../../deps.ts'
import { deleteUnusedIcons } from './profiles.sql.ts'

export async function runProfilesUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ icons: await deleteUnusedIcons(pool) }, 'icons that no server shows deleted')
}
