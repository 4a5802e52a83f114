// A page of the engine as `GET /servers` answers it.
import { readListCursor } from '../../../src/features/directory/engine/list-cursor.ts'
import type { DirectoryQuery } from '../../../src/features/directory/engine/plan.ts'
import { findServers } from '../../../src/features/directory/engine/query.ts'
import { renderList } from '../../../src/features/directory/engine/render.ts'
import type { Snapshot } from '../../../src/features/directory/engine/snapshot.ts'

/** @returns the reply, the words it ignored, and the position that its cursor names */
export function render(snapshot: Snapshot, query: DirectoryQuery, now: number) {
  const { bytes } = renderList(snapshot, findServers(snapshot, query), query, 'full', now)
  const { nextCursor, ignoredWords, ...page } = JSON.parse(bytes.toString())
  return { page, ignoredWords, after: nextCursor === null ? undefined : readListCursor(nextCursor)?.position }
}
