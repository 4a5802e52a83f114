// The directory's other endpoints: a server's mods, comparisons, suggestions.
import { notFound, unavailable, validationFailed } from '../../../platform/http/errors.ts'
import { operation } from '../../../platform/http/operation.ts'
import { splitList } from '../../../platform/text.ts'
import { ServerIdParams } from '../../servers/index.ts'
import { briefOf, type DirectoryService } from '../directory.service.ts'
import { readRecord } from '../engine/records.ts'
import { renderComparison } from '../engine/render.ts'
import { rankOf } from '../engine/server-rank.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { suggest } from '../engine/suggestions.ts'
import { SUGGESTIONS_WAIT_MS, type Trending } from '../engine/trending.ts'
import { CompareQuery, Comparison, Mods, ServerRank, Suggestions, SuggestionsQuery } from './views.schema.ts'

export interface PeaksSource {
  /** Highest player count of the last 24 hours by server id; absent for a server without answered polls. */
  peaks(ids: readonly string[]): Promise<Map<string, number>>
}

interface ViewsOptions extends Pick<DirectoryService, 'requireFresh' | 'find'>, PeaksSource {
  trending: Trending
}

const RETRY_AFTER_SECONDS = 5
const common = { method: 'get', tag: 'Directory', crossOrigin: true } as const

export function viewsOperations({ requireFresh, find, peaks, trending }: ViewsOptions) {
  return [
    operation({
      ...common,
      path: '/servers/suggestions',
      operationId: 'suggestServers',
      summary: 'Suggest servers for a partial name',
      description:
        'Names that start with `q`, then names with a word that does, then names that contain it; each group in the order of ' +
        '`GET /servers`. Without `q`: most votes in the last 24 hours first, then that order.',
      query: SuggestionsQuery,
      returns: Suggestions,
      async handle({ query: { q, limit } }) {
        if (!q) await trending.ready(() => requireFresh().snapshot, SUGGESTIONS_WAIT_MS)
        const { snapshot } = requireFresh()
        const slots = q ? suggest(snapshot, q, limit) : trending.pick(snapshot, limit)
        return { suggestions: slots.map((slot) => briefOf(snapshot, slot)) }
      },
    }),
    operation({
      ...common,
      path: '/servers/{id}/compare',
      operationId: 'compareServers',
      summary: 'Compare up to five servers',
      params: ServerIdParams,
      query: CompareQuery,
      returns: Comparison,
      async handle({ params, query }) {
        const ids = [params.id, ...query.with]
        if (new Set(ids).size < ids.length)
          throw validationFailed([{ path: 'with', message: 'must not name the server itself' }])
        slotsOf(requireFresh().snapshot, ids) // does not query the database for unknown servers
        const peakOf = await peaks(ids).catch((cause: unknown) => {
          throw unavailable('Servers can’t be compared at the moment. Try again shortly.', RETRY_AFTER_SECONDS, cause)
        })
        const { snapshot, now } = requireFresh()
        const peakOfSlot = (slot: number) => peakOf.get(snapshot.idOf(slot)) ?? null
        return renderComparison(snapshot, slotsOf(snapshot, ids), peakOfSlot, now)
      },
    }),
    operation({
      ...common,
      path: '/servers/{id}/rank',
      operationId: 'getServerRank',
      summary: 'Get a server’s place by score, and the numbers that decide it',
      description:
        'All scores fade alike, so a place changes only with votes, players and uptime. Players of an hour count some minutes after its end.',
      params: ServerIdParams,
      returns: ServerRank,
      handle({ params }) {
        const { snapshot, slot, now } = find(params.id)
        return rankOf(snapshot, slot, now)
      },
    }),
    operation({
      ...common,
      path: '/servers/{id}/mods',
      operationId: 'listServerMods',
      summary: 'List a server’s mods',
      params: ServerIdParams,
      returns: Mods,
      handle({ params }) {
        const { snapshot, slot } = find(params.id)
        const { mods } = readRecord(snapshot.records, slot)
        return { mods: splitList(mods).map((name) => ({ name })) }
      },
    }),
  ]
}

/** @throws ApiError 404 naming an id that no listed server has */
function slotsOf(snapshot: Snapshot, ids: readonly string[]): number[] {
  return ids.map((id) => {
    const slot = snapshot.slotOf(id)
    if (slot === undefined) throw notFound(`No listed server has the id ${id}.`)
    return slot
  })
}
