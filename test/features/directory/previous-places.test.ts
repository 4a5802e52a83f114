// The places of the month before, which are read in batches while lists show them.
import { expect, it } from 'vitest'
import { createPreviousPlacesLoader } from '../../../src/features/directory/engine/previous-places-loader.ts'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import type { PlaceOfMonth } from '../../../src/features/votes/index.ts'
import { HOUR_MS } from '../../../src/platform/durations.ts'
import { testLog } from '../../support/database.ts'
import { modelServer, serverRow } from './model.ts'

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const placeOf = (n: number): PlaceOfMonth => ({ serverId: idOf(n), place: n, placeInGame: null })

it('are shown until all of them were read again, also if a read fails', async () => {
  let now = Date.UTC(2026, 10, 20)
  const snapshot = createSnapshot(now)
  const SERVERS = 7_000
  for (let n = 1; n <= SERVERS; n++) snapshot.applyServer(serverRow(modelServer({ id: idOf(n) }), n))
  const shown = (n: number) => snapshot.previousPlaces.of(snapshot.slotOf(idOf(n)) ?? -1, '2026-10', false)
  const places = Array.from({ length: SERVERS }, (_, at) => placeOf(at + 1))
  let second = Promise.resolve()
  let batches = 0
  const loader = createPreviousPlacesLoader(
    {
      async placesOfMonth({ after, limit }) {
        if (after) await second
        batches++
        const from = after?.place ?? 0
        return places.slice(from, from + limit)
      },
    },
    { current: () => snapshot, clock: () => now, log: testLog },
  )
  loader.refresh()
  await expect.poll(() => shown(SERVERS)).toBe(SERVERS)

  const held = Promise.withResolvers<void>()
  second = held.promise
  now += HOUR_MS
  loader.refresh()
  await expect.poll(() => batches).toBe(3)
  expect([shown(1), shown(SERVERS)]).toEqual([1, SERVERS])
  held.reject(new Error('the database is down'))
  await loader.stop()
  expect([shown(1), shown(SERVERS)]).toEqual([1, SERVERS])
})
