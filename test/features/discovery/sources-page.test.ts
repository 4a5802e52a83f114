// Operators see what sources do: a verdict with advice for each, on a page, in the doctor, and before a source is used.
import { beforeEach, expect, it } from 'vitest'
import { checkSource } from '../../../commands/doctor/reach.ts'
import {
  listSources,
  recordRunFailure,
  recordRunResult,
  recordRunStart,
} from '../../../src/features/discovery/index.ts'
import { runSource } from '../../../workers/discovery/run.ts'
import { startTestApi } from '../../support/api.ts'
import { emptyTables } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { formsOf } from '../site/forms.ts'
import { find, testSource } from './support.ts'

const api = await startTestApi({ settings: { DISCOVER: 'luanti,beammp' } })
const { pool, jobs, settings } = api.deps
const { get, post } = formsOf(api.url)
const admin = await addPerson(pool, { isAdmin: true })
const signal = new AbortController().signal
const options = {
  pool,
  resolve: ({ host }: { host: string }) => ({ address: host }),
  ask: async () => ({ answered: false, reason: 'silent', askedAt: 0 }) as const,
  pollWithinSeconds: 0,
}
const RESULT = { found: 3, added: 2, returned: 0, missing: 0, refused: { private: 1 } }

const verdictOf = async (name: string) => {
  const source = (await listSources(pool, settings)).find(({ source }) => source === name)
  return { verdict: source?.verdict, advice: source?.advice }
}

beforeEach(async () => {
  await emptyTables(pool, 'servers', 'discovery_sources')
})

it('a source is well before its first run, after a good one, and after one failure', async () => {
  const well = { verdict: 'ok', advice: '' }
  expect(await verdictOf('luanti')).toEqual(well)
  await recordRunStart(pool, 'luanti')
  expect(await verdictOf('luanti')).toEqual(well)
  await recordRunResult(pool, 'luanti', RESULT)
  expect(await verdictOf('luanti')).toEqual(well)
  await recordRunFailure(pool, 'luanti', 'no answer', 600)
  expect(await verdictOf('luanti')).toEqual(well)
})

it.each([
  ['failing', 'failures = 3, error = $$403: bad key$$', /last 3 runs failed.*403: bad key/],
  ['late', `next_run_at = now() - interval '20 minutes'`, /run is 20 min overdue/],
  ['stuck', `started_at = now() - interval '3 hours', finished_at = null`, /began 3 h ago/],
])('a source is %s, with advice', async (verdict, state, advice) => {
  await recordRunStart(pool, 'luanti')
  await recordRunResult(pool, 'luanti', RESULT)
  await pool.query(`update discovery_sources set next_run_at = now() + interval '5 minutes'`)
  await pool.query(`update discovery_sources set ${state}`)
  expect(await verdictOf('luanti')).toEqual({ verdict, advice: expect.stringMatching(advice) })
})

it('a source that lost more than half of what is listed is failing', async () => {
  await runSource(
    testSource(
      'luanti',
      Array.from({ length: 30 }, (_, n) => find(`203.0.113.${n}`)),
    ).source,
    options,
    signal,
  )
  await recordRunStart(pool, 'luanti')
  await recordRunResult(pool, 'luanti', { ...RESULT, found: 1, missing: 29 })
  await pool.query(`update discovery_sources set next_run_at = now() + interval '5 minutes'`)
  expect(await verdictOf('luanti')).toMatchObject({ verdict: 'failing', advice: /29 of the 30/ })
})

it('the page shows each source with what it refused and why, and runs it', async () => {
  await recordRunStart(pool, 'luanti')
  await recordRunResult(pool, 'luanti', RESULT)
  await recordRunStart(pool, 'retired')
  const { html } = await get('/admin/sources', admin)
  expect(html).toContain('Not listed: private address')
  expect(html.match(/<h2>(\w+)<\/h2>/g)).toEqual(['<h2>beammp</h2>', '<h2>luanti</h2>', '<h2>retired</h2>'])
  expect(html.match(/>Run now</g)).toHaveLength(2) // not of one that is no longer used
  const ran = await post('/admin/sources', { action: 'run', source: 'beammp' }, admin)
  expect(ran).toMatchObject({ status: 303, location: '/admin/sources?done=sourceRuns' })
  const waiting = await jobs.boss.findJobs('discovery', { queued: true })
  expect(waiting.map(({ data }) => data)).toEqual([expect.objectContaining({ source: 'beammp' })])
})

it('a preview shows what would be listed, and writes nothing', async () => {
  const { source } = testSource('luanti', [
    find('203.0.113.1'),
    find('203.0.113.2', { queryPort: 30_001 }),
    find('a b'),
  ])
  await runSource(testSource('luanti', [find('203.0.113.1')]).source, options, signal)
  const shown: string[] = []
  const preview = (server: { ipAddress: string }) => shown.push(server.ipAddress)
  const result = await runSource(source, { ...options, preview }, signal)
  expect({ shown, result }).toEqual({
    shown: ['203.0.113.2'],
    result: { found: 3, added: 1, returned: 0, missing: 0, refused: { invalid: 1 } },
  })
  expect((await pool.query('select from servers')).rowCount).toBe(1)
})

it('the doctor says whether a source can be read', async () => {
  const { source, state } = testSource('luanti', [find('203.0.113.1')])
  expect(await checkSource(source)).toMatchObject({ what: 'source luanti', status: 'ok' })
  state.finds = []
  expect(await checkSource(source)).toMatchObject({ status: 'warning', seen: 'has no servers' })
  state.failure = '403: bad key'
  expect(await checkSource(source)).toMatchObject({ status: 'warning', seen: 'can’t be read: 403: bad key' })
})
