// The one connection that a backup or a restore runs on.
import pg from 'pg'
import { connection } from '../../src/platform/db/pool.ts'

/** Text of dates, numbers and bytes then never depends on what the server or the role is set to, and nothing cuts off a long statement. */
const SETTINGS = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
}

export async function openSession(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connection(url, applicationName), query_timeout: 0 })
  client.on('error', () => {}) // the statement under way is told
  await client.connect()
  return client
}

/** For the transaction. Some of them are not known to every version of PostgreSQL. */
export async function fixSettings(client: pg.Client): Promise<void> {
  await client.query(
    `select set_config(name, given.value, true) from pg_settings join json_each_text($1) as given (name, value) using (name)`,
    [JSON.stringify(SETTINGS)],
  )
}
