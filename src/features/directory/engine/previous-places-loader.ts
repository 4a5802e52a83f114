// Reads the places of the month before into the snapshot, while lists are asked for them.
import type { Clock } from '../../../deps.ts'
import { HOUR_MS } from '../../../platform/durations.ts'
import { monthBefore, monthOfTime } from '../../../platform/months.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { PlaceOfMonth, ServerPlace } from '../../votes/index.ts'
import type { Snapshot } from './snapshot.ts'

export interface PlacesSource {
  /**
   * Places of a finished month (`2026-10`), best first, in batches.
   * @param range.after last of the previous batch; null: none
   */
  placesOfMonth(range: { month: string; after: ServerPlace | null; limit: number }): Promise<PlaceOfMonth[]>
}

/** The time between reads while the month has no places: it is ranked some time after its end. */
const RETRY_MS = 60_000
/** The time between reads of known places: they change only if votes are voided. */
const REFRESH_MS = HOUR_MS
/** Rows per batch: bounded, so that neither memory nor the time between two replies grows with the directory. */
const BATCH = 5_000

export type PreviousPlacesLoader = ReturnType<typeof createPreviousPlacesLoader>

export function createPreviousPlacesLoader(
  { placesOfMonth }: PlacesSource,
  { current, clock, log }: { current(): Snapshot; clock: Clock; log: Log },
) {
  let loaded: { snapshot: Snapshot; month: string; at: number; count: number } | undefined
  let loading: Promise<void> | undefined
  let stopped = false

  async function load(snapshot: Snapshot, month: string): Promise<number> {
    let count = 0
    snapshot.previousPlaces.begin()
    for (let after: ServerPlace | null | undefined = null; after !== undefined && !stopped; ) {
      const rows: PlaceOfMonth[] = await placesOfMonth({ month, after, limit: BATCH })
      for (const { serverId, place, placeInGame } of rows) {
        const slot = snapshot.slotOf(serverId)
        snapshot.previousPlaces.set(serverId, slot, { place, placeInGame: placeInGame ?? 0 })
      }
      count += rows.length
      after = rows.length === BATCH ? rows.at(-1) : undefined
    }
    if (stopped) return count
    snapshot.previousPlaces.finish(month)
    if (count > 0) snapshot.version++
    return count
  }

  function isLoaded(snapshot: Snapshot, month: string): boolean {
    if (loaded?.snapshot !== snapshot || loaded.month !== month) return false
    return Math.abs(clock() - loaded.at) < (loaded.count > 0 ? REFRESH_MS : RETRY_MS)
  }

  return {
    /** Reads the places in the background if they are missing or an hour old. */
    refresh(): void {
      const snapshot = current()
      const month = monthBefore(monthOfTime(clock()))
      if (stopped || loading || isLoaded(snapshot, month)) return
      const now = { snapshot, month, at: clock(), count: 0 }
      loaded = now
      loading = load(snapshot, month)
        .then((count) => {
          now.count = count
        })
        .catch((err: unknown) => {
          if (!stopped) log.warn({ err }, 'could not read the places of the month before; lists lack the changes')
        })
        .finally(() => {
          loading = undefined
        })
    },
    async stop(): Promise<void> {
      stopped = true
      await loading
    },
  }
}
