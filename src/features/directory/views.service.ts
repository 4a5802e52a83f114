// The rules of the directory's other views: what is shown of a server besides its fields.
import { hash } from 'node:crypto'
import { RenderedFile } from '../../platform/http/route.ts'
import { badgeOf, renderBadge } from './badge.ts'
import type { DirectoryService } from './directory.service.ts'
import { splitTags } from './records.ts'

export interface ViewsService {
  /** @throws ApiError 404, or 503 while the snapshot is too old, like every function here */
  mods(id: string): { mods: { name: string }[] }
  badge(id: string): RenderedFile
}

/** Pages that show a badge are many, and none needs it to the second. */
const BADGE_SECONDS = 60

export function createViewsService({ find }: Pick<DirectoryService, 'find'>): ViewsService {
  return {
    mods(id) {
      const { snapshot, slot } = find(id)
      const { mods } = JSON.parse(`${snapshot.records.read(slot)}}`) as { mods: string }
      return { mods: splitTags(mods).map((name) => ({ name })) }
    },
    badge(id) {
      const { snapshot, slot } = find(id)
      const bytes = Buffer.from(renderBadge(badgeOf(snapshot, slot)))
      const tag = hash('sha256', bytes, 'base64url').slice(0, 22)
      return new RenderedFile(bytes, `"${tag}"`, { maxAgeSeconds: BADGE_SECONDS })
    },
  }
}
