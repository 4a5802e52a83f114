// The end of an endpoint that nobody answers at.
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { cancelPending, disableEndpoint } from './give-up.sql.ts'

/** Disables the server's endpoint and cancels what was to be sent to it. One that is disabled already stays as it is. */
export async function giveUpEndpoint(tx: Db, _jobs: Jobs, serverId: string, reason: 'gone' | 'failing'): Promise<void> {
  if (!(await disableEndpoint(tx, serverId, reason))) return
  await cancelPending(tx, serverId)
}
