// Reads the players of the last 24 hours into the snapshot, hour by hour, while lists are asked for them.
import type { Clock } from '../../../deps.ts'
import { chunksOf } from '../../../platform/chunks.ts'
import { readInBatches } from '../../../platform/db/read-in-batches.ts'
import { HOUR_MS } from '../../../platform/durations.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Snapshot } from './snapshot.ts'

export interface PlayerHoursSource {
  /** The end of the last hour that is complete; null if there is none. */
  completeTo(): Promise<Date | null>
  /** Servers by id, in batches. @param range.after last server of the previous batch; null: the first batch */
  playersOfHour(range: {
    hour: Date
    after: string | null
    limit: number
  }): Promise<{ serverId: string; players: number }[]>
  /** Of servers, in each of the last hours. */
  playersByHour(
    serverIds: readonly string[],
    hours: number,
  ): Promise<{ rows: { serverId: string; hour: Date; players: number }[] }>
}

const HOURS = 24
const REFRESH_MS = 60_000
/** Rows per batch: bounded, so that neither memory nor the time between two replies grows with the directory. */
const BATCH = 5_000

export type PlayerHoursLoader = ReturnType<typeof createPlayerHoursLoader>

export function createPlayerHoursLoader(
  { completeTo, playersOfHour, playersByHour }: PlayerHoursSource,
  { current, clock, log }: { current(): Snapshot; clock: Clock; log: Log },
) {
  let lookedAt = Number.NEGATIVE_INFINITY
  let loaded: Snapshot | undefined
  let loading: Promise<void> | undefined
  let stopped = false

  async function load(snapshot: Snapshot): Promise<void> {
    const end = (await completeTo())?.getTime()
    if (end === undefined) return
    const { playerHours } = snapshot
    // The newest hour first: a line that lacks its oldest hours says more than one that lacks its newest.
    for (let back = 1; back <= HOURS && !stopped && current() === snapshot; back++) {
      const hour = end - back * HOUR_MS
      if (playerHours.has(hour)) continue
      try {
        await loadHour(snapshot, hour)
      } catch (error) {
        playerHours.drop(hour)
        throw error
      }
    }
    await loadAdded(snapshot)
  }

  /** Reads the hours for servers that came after these were read: a server that was hidden has a history. */
  async function loadAdded(snapshot: Snapshot): Promise<void> {
    const { playerHours } = snapshot
    // Their ids, because a server may leave and free its slot while an earlier part is read.
    const ids = new Set(playerHours.takeAdded().map(snapshot.idOf))
    try {
      for (const part of chunksOf([...ids], BATCH)) {
        if (stopped) return
        const { rows } = await playersByHour(part, HOURS)
        for (const { serverId, hour, players } of rows) {
          const slot = snapshot.slotOf(serverId)
          if (slot !== undefined && playerHours.has(hour.getTime())) playerHours.set(hour.getTime(), slot, players)
        }
        for (const id of part) ids.delete(id)
        snapshot.version++
      }
    } catch (error) {
      for (const slot of [...ids].map(snapshot.slotOf)) if (slot !== undefined) playerHours.add(slot)
      throw error
    }
  }

  async function loadHour(snapshot: Snapshot, hour: number): Promise<void> {
    snapshot.playerHours.begin(hour)
    const batches = readInBatches(BATCH, (last?: { serverId: string }) =>
      playersOfHour({ hour: new Date(hour), after: last?.serverId ?? null, limit: BATCH }),
    )
    for await (const servers of batches)
      for (const { serverId, players } of servers) {
        const slot = snapshot.slotOf(serverId)
        if (slot !== undefined) snapshot.playerHours.set(hour, slot, players)
      }
    snapshot.version++
  }

  return {
    /** Looks for new hours in the background, at most once a minute. */
    refresh(): void {
      const snapshot = current()
      if (stopped || loading || (loaded === snapshot && Math.abs(clock() - lookedAt) < REFRESH_MS)) return
      lookedAt = clock()
      loaded = snapshot
      loading = load(snapshot)
        .catch((err: unknown) => {
          if (!stopped) log.warn({ err }, 'could not read the players of the last hours; lists lack them')
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
