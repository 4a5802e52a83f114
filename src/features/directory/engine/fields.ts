// The fields of a list's items: those of the record, which is rendered once per edit, and those
// rendered for each reply.
import { monthBefore, monthOfTime } from '../../../platform/months.ts'
import { isRankedIn, type PlaceOf } from './month-places.ts'
import { float64At, int16At, int32At } from './number-at.ts'
import { hasSlot } from './posting.ts'
import { instant, RANGES, RECORD_FIELDS, type RecordField } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** The fields that polls, votes and the time change, as JSON. */
export const LIVE = {
  currentPlayers: ({ columns }: Snapshot, slot: number) => int32At(columns.currentPlayers, slot),
  maxPlayers: ({ columns }: Snapshot, slot: number) => int32At(columns.maxPlayers, slot),
  isOnline: ({ online }: Snapshot, slot: number) => hasSlot(online, slot),
  map: ({ maps }: Snapshot, slot: number) => maps.jsonOf(slot),
  totalVotes: ({ columns }: Snapshot, slot: number) => int32At(columns.totalVotes, slot),
  country: ({ geography }: Snapshot, slot: number) => `"${geography.countryOf(slot)}"`,
  region: ({ geography }: Snapshot, slot: number) => JSON.stringify(geography.regionOf(slot)),
  isRegionDerived: ({ geography }: Snapshot, slot: number) => geography.isRegionDerived(slot),
  monthlyVotes: ({ columns }: Snapshot, slot: number) => int32At(columns.monthlyVotes, slot),
  lastPolledAt: ({ columns }: Snapshot, slot: number) => instant(float64At(columns.lastPolledAt, slot)),
  /** Never polled, or the next poll is overdue: comparisons with NaN are false. */
  isStale: ({ columns: { lastPolledAt, freshUntil } }: Snapshot, slot: number, now: number) =>
    Number.isNaN(float64At(lastPolledAt, slot)) || !(float64At(freshUntil, slot) >= now),
  queryMs({ columns }: Snapshot, slot: number) {
    const queryMs = int16At(columns.queryMs, slot)
    return queryMs < 0 ? null : queryMs
  },
  currentBots: ({ columns }: Snapshot, slot: number) => int32At(columns.currentBots, slot),
  hasPassword({ columns }: Snapshot, slot: number) {
    const hasPassword = int32At(columns.hasPassword, slot)
    return hasPassword < 0 ? null : hasPassword === 1
  },
  /** Rank by votes, from 1, in the default order of lists. */
  rank: ({ orders }: Snapshot, slot: number) => orders.positions('totalVotes', 'desc')(slot) + 1,
  score: ({ scores }: Snapshot, slot: number, now: number) => scores.at(slot, now).score,
}

/** What the items of a page have in common. */
export interface PageContext {
  /** A server's place in the running month. */
  placeOf: PlaceOf
  /** Places are counted among the servers of this game; undefined: among all servers. */
  game: string | undefined
}

/** Fields that items have only if a client selects them. */
const SELECTED = {
  playersByHour: ({ playerHours }: Snapshot, slot: number, now: number) => JSON.stringify(playerHours.of(slot, now)),
  standing(snapshot: Snapshot, slot: number, now: number, { placeOf, game }: PageContext) {
    const month = monthOfTime(now)
    const isRanked = game === undefined || isRankedIn(snapshot, slot, game)
    const previousPlace = isRanked ? snapshot.previousPlaces.of(slot, monthBefore(month), game !== undefined) : null
    return JSON.stringify({ month, place: placeOf(slot), previousPlace })
  },
}

export const isOnlySelected = (field: ListField): boolean => field in SELECTED

export type ListField = RecordField | keyof typeof LIVE | keyof typeof SELECTED

/** The fields of an item of `/servers`, in the order of every reply. */
export const LIST_FIELDS = [
  ...RECORD_FIELDS.slice(RANGES.list.from, RANGES.list.to),
  ...(Object.keys(LIVE) as (keyof typeof LIVE)[]),
] as const satisfies readonly ListField[]

export const SELECTABLE_FIELDS = [
  ...LIST_FIELDS,
  ...(Object.keys(SELECTED) as (keyof typeof SELECTED)[]),
] as const satisfies readonly ListField[]

/** The fields that are rendered for each reply. */
export const RENDERED = { ...LIVE, ...SELECTED }
export type RenderedField = keyof typeof RENDERED
export const isRendered = (field: ListField): field is RenderedField => field in RENDERED
