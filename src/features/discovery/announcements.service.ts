// The queue of announced servers that are to be queried.
import type { Db } from '../../platform/db/pool.ts'
import { networkOf } from '../../platform/network.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { type AnnouncedAddress, countUnanswered } from './announcements.sql.ts'
import { announcement } from './discovery.jobs.ts'

/** Networks with fewer unanswered announcements come first, so that many silent servers delay no others. */
export async function enqueueAnnouncementQuery(
  tx: Db,
  jobs: JobQueue,
  { address, queryPort }: AnnouncedAddress,
  startAfterSeconds: number,
): Promise<void> {
  const unanswered = await countUnanswered(tx, networkOf(address))
  await jobs.enqueue(tx, announcement, [{ address, queryPort }], {
    singletonKey: `${address} ${queryPort}`,
    startAfter: startAfterSeconds,
    priority: -unanswered,
  })
}
