// Deletes what no longer counts: expired invitations, and teams that ended with their owner.
import type { Deps } from '../../deps.ts'
import { deleteInvalid } from './teams.sql.ts'

export async function runTeamsUpkeep({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  const deleted = await deleteInvalid(pool)
  log.info({ deleted }, 'invitations and memberships that ended deleted')
}
