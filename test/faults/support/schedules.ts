// Schedules in tests: what they owe after an outage, and whether each of their slots ran once.
import { expect, vi } from 'vitest'
import type { Pool } from '../../../src/platform/db/pool.ts'

export interface Slots {
  name: string
  runs: number
  slots: number
}

/**
 * As if no process had worked for forty days: each schedule owes one run, however many it missed.
 * Call it while none runs.
 * @returns the names of the schedules
 */
export async function missSchedules(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from pgboss.schedule order by name')
  const names = rows.map(({ name }) => name)
  await pool.query('delete from pgboss.job where name = any($1)', [[...names, '__pgboss__send-it']])
  await pool.query(`update pgboss.schedule set created_on = now() - interval '50 days'`)
  await pool.query(`update pgboss.version set cron_on = now() - interval '40 days'`)
  return names
}

/** The slots of schedules that were due so far, and how many jobs there were for them. */
export async function slotsOf(pool: Pool): Promise<Slots[]> {
  const { rows } = await pool.query<Slots>(
    `select name, count(*)::integer as runs, (
       select count(distinct data->>'slot')::integer from pgboss.job as due
       where due.name = '__pgboss__send-it' and due.data->>'name' = job.name) as slots
     from pgboss.job where name in (select name from pgboss.schedule) group by name order by name`,
  )
  return rows
}

/**
 * The schedules that have more or fewer jobs than slots. A slot that has just become due gets its job a moment later,
 * so this waits up to a minute; a job that is missing or repeated stays so.
 */
export async function slotsNotRunOnce(pool: Pool): Promise<Slots[]> {
  const read = async () => (await slotsOf(pool)).filter(({ runs, slots }) => runs !== slots)
  await vi.waitFor(async () => expect(await read()).toEqual([]), { timeout: 60_000, interval: 500 }).catch(() => {})
  return read()
}
