// Two operations that lock the same rows in opposite orders.
import { beforeAll, expect, it } from 'vitest'
import * as z from 'zod'
import { operation } from '../../../src/platform/http/operation.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

const firstLocks = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
let runs = 0

/** Locks one row, waits until the other operation has locked its own, then locks that one. */
const locking = (first: 'a' | 'b', second: 'a' | 'b') =>
  operation({
    method: 'post',
    path: `/locks/${first}`,
    operationId: `lock${first}`,
    tag: 'Samples',
    summary: 'Locks two rows',
    returns: z.object({ total: z.int() }),
    async handle({ tx }) {
      runs++
      const increment = (id: string) => tx.query('update samples set n = n + 1 where id = $1 returning n', [id])
      await increment(first)
      firstLocks[first].resolve()
      await firstLocks[second].promise
      const { rows } = await increment(second)
      return { total: rows[0].n }
    },
  })

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [locking('a', 'b'), locking('b', 'a')] })
  await api.database.pool.query("create table samples as select id, 0 as n from unnest(array['a', 'b']) as id")
})

it('both succeed: the victim of the deadlock runs again', async () => {
  const replies = await Promise.all(['a', 'b'].map((id) => api.request(`/api/locks/${id}`, { method: 'POST' })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(runs).toBeGreaterThanOrEqual(3) // the second run may be a victim too
  const { rows } = await api.database.pool.query('select id, n from samples order by id')
  expect(rows).toEqual([
    { id: 'a', n: 2 },
    { id: 'b', n: 2 },
  ])
})
