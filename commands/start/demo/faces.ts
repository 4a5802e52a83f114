// Logos and banners, uploaded as their owners would: a worker encodes them within a minute.
import { drawBanner, drawLogo, renderPng } from '../../../dev/demo/drawing.ts'
import type { Deps } from '../../../src/deps.ts'
import { type FaceKind, storeUpload } from '../../../src/features/faces/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import type { DemoServer } from './listings.ts'

/** Servers with fewer votes have no logo, and show the initials of their names. */
const MIN_VOTES = 90
/** They show the icon that their game server reports. */
const WITH_ICON = 'minecraft'
const PIXELS = { logo: 256, banner: 1200 }

/** Begins with the servers that are first in the list. */
export async function pretendFaces(
  { pool, jobs }: Pick<Deps, 'pool' | 'jobs'>,
  servers: readonly DemoServer[],
): Promise<void> {
  for (const { id: serverId, owner: userId, look, game, votes } of servers.toSorted((a, b) => b.votes - a.votes)) {
    if (!look || !userId) continue
    const drawings: [FaceKind, string][] = [['banner', drawBanner(look)]]
    if (votes >= MIN_VOTES && game !== WITH_ICON) drawings.unshift(['logo', drawLogo(look)])
    for (const [kind, svg] of drawings) {
      const bytes = renderPng(svg, PIXELS[kind])
      await inTransaction(pool, (tx) => storeUpload(tx, jobs, { serverId, kind, userId, bytes }))
    }
  }
}
