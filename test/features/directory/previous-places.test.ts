// The places of the month before, which are read in batches while lists show them.
import { expect, it, onTestFinished } from 'vitest'
import {
  createPreviousPlacesLoader,
  type PlacesSource,
} from '../../../src/features/directory/engine/previous-places-loader.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import type { PlaceOfMonth } from '../../../src/features/votes/index.ts'
import { HOUR_MS } from '../../../src/platform/durations.ts'
import { testLog } from '../../support/database.ts'
import { modelServer, serverRow } from './model.ts'

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const placeOf = (n: number): PlaceOfMonth => ({ serverId: idOf(n), place: n, placeInGame: n * 2 })

/** A snapshot whose servers are listed and hidden by number, and a loader of the places of October. */
function startOf(placesOfMonth: PlacesSource['placesOfMonth']) {
  const time = { now: Date.UTC(2026, 10, 20) }
  const snapshot = createSnapshot(time.now)
  const loader = createPreviousPlacesLoader(
    { placesOfMonth },
    { current: () => snapshot, clock: () => time.now, log: testLog },
  )
  onTestFinished(() => loader.stop())
  let change = 1
  const apply = (n: number, isListed: boolean) =>
    snapshot.applyServer(serverRow(modelServer({ id: idOf(n) }), change++, isListed))
  return {
    time,
    loader,
    list: (n: number) => apply(n, true),
    hide: (n: number) => apply(n, false),
    shown: (n: number, isInGame = false) =>
      snapshot.previousPlaces.of(snapshot.slotOf(idOf(n)) ?? -1, '2026-10', isInGame),
  }
}

it('are shown until all of them were read again, also if a read fails', async () => {
  const SERVERS = 7_000
  const places = Array.from({ length: SERVERS }, (_, at) => placeOf(at + 1))
  let second = Promise.resolve()
  let batches = 0
  const { time, loader, list, shown } = startOf(async ({ after, limit }) => {
    if (after) await second
    batches++
    const from = after?.place ?? 0
    return places.slice(from, from + limit)
  })
  for (let n = 1; n <= SERVERS; n++) list(n)
  loader.refresh()
  await expect.poll(() => shown(SERVERS)).toBe(SERVERS)

  const held = Promise.withResolvers<void>()
  second = held.promise
  time.now += HOUR_MS
  loader.refresh()
  await expect.poll(() => batches).toBe(3)
  expect([shown(1), shown(SERVERS)]).toEqual([1, SERVERS])
  held.reject(new Error('the database is down'))
  await loader.stop()
  expect([shown(1), shown(SERVERS)]).toEqual([1, SERVERS])
})

it('are known at once of a server that is shown again', async () => {
  const { loader, list, hide, shown } = startOf(async () => [placeOf(1), placeOf(2), placeOf(3)])
  for (const n of [1, 2]) list(n)
  loader.refresh()
  await expect.poll(() => shown(2)).toBe(2)

  hide(1)
  for (const n of [4, 3, 1]) list(n) // in the slots of 1 and of none: only 1 and 3 had places
  expect([1, 2, 3, 4].map((n) => shown(n))).toEqual([1, 2, 3, null])
  expect([1, 2, 3, 4].map((n) => shown(n, true))).toEqual([2, 4, 6, null])
})

it('are right of servers that come and go while they are read', async () => {
  const held = Promise.withResolvers<void>()
  let batches = 0
  const places = Array.from({ length: 5_001 }, (_, at) => placeOf(at + 1))
  const { loader, list, hide, shown } = startOf(async ({ after, limit }) => {
    batches++
    if (after) await held.promise
    return places.slice(after?.place ?? 0).slice(0, limit)
  })
  for (const n of [1, 2]) list(n)
  loader.refresh()
  await expect.poll(() => batches).toBe(2)

  for (const n of [1, 2]) hide(n)
  for (const n of [3, 5_001, 2]) list(n)
  held.resolve()
  await expect.poll(() => shown(2)).toBe(2)
  list(1)
  expect([1, 2, 3, 5_001].map((n) => shown(n))).toEqual([1, 2, 3, 5_001])
})
