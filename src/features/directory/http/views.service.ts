// The rules of the directory's other endpoints: mods, comparison, suggestions.
import type * as z from 'zod'
import { notFound, unavailable, validationFailed } from '../../../platform/http/errors.ts'
import type { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { splitList } from '../../../platform/text.ts'
import { briefOf, type DirectoryService } from '../directory.service.ts'
import { renderComparison } from '../engine/render.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { suggest } from '../engine/suggestions.ts'
import type { Trending } from '../engine/trending.ts'
import type { SuggestionsQuery } from './views.schema.ts'

export interface PeaksSource {
  /** Highest player count of the last 24 hours by server id; absent for a server without answered polls. */
  peaks(ids: readonly string[]): Promise<Map<string, number>>
}

interface ViewsOptions extends Pick<DirectoryService, 'fresh' | 'find'>, PeaksSource {
  trending: Trending
}

const RETRY_AFTER_SECONDS = 5

export type ViewsService = ReturnType<typeof createViewsService>

/** All functions of the service throw ApiError 503 while the snapshot is too old. */
export function createViewsService({ fresh, find, peaks, trending }: ViewsOptions) {
  async function peaksOf(ids: readonly string[]): Promise<Map<string, number>> {
    try {
      return await peaks(ids)
    } catch (cause) {
      throw unavailable('Servers can’t be compared at the moment. Try again shortly.', RETRY_AFTER_SECONDS, cause)
    }
  }

  return {
    /** @throws ApiError 404 */
    mods(id: string) {
      const { snapshot, slot } = find(id)
      const { mods } = JSON.parse(`${snapshot.records.read(slot)}}`) as { mods: string }
      return { mods: splitList(mods).map((name) => ({ name })) }
    },
    /**
     * @param others distinct ids
     * @throws ApiError 400 if the server is compared with itself, 404 naming an id that no listed server has,
     *   503 also without the database
     */
    async compare(id: string, others: readonly string[]): Promise<RenderedJson> {
      const ids = [id, ...others]
      if (new Set(ids).size < ids.length)
        throw validationFailed([{ path: 'with', message: 'must not name the server itself' }])
      slotsOf(fresh().snapshot, ids) // does not query the database for unknown servers
      const peakOf = await peaksOf(ids)
      const { snapshot, now } = fresh()
      const highest = ids.map((one) => peakOf.get(one) ?? null)
      return renderComparison(snapshot, slotsOf(snapshot, ids), highest, now)
    },
    async suggestions({ q, limit }: z.output<typeof SuggestionsQuery>) {
      if (!q) await trending.ready(() => fresh().snapshot)
      const { snapshot } = fresh()
      const slots = q ? suggest(snapshot, q, limit) : trending.pick(snapshot, limit)
      return { suggestions: slots.map((slot) => briefOf(snapshot, slot)) }
    },
  }
}

function slotsOf(snapshot: Snapshot, ids: readonly string[]): number[] {
  return ids.map((id) => {
    const slot = snapshot.slotOf(id)
    if (slot === undefined) throw notFound(`No listed server has the id ${id}.`)
    return slot
  })
}
