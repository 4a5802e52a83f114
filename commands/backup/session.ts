// The connection of a backup or a restore.
import pg from 'pg'
import { connectionOptions } from '../../src/platform/db/pool.ts'

/**
 * Makes the text of dates, numbers and bytes independent of the server's and the role's settings, and turns timeouts
 * off.
 */
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
  const client = new pg.Client({ ...connectionOptions(url, applicationName), query_timeout: 0 })
  client.on('error', () => {}) // the running statement fails with the error
  await client.connect()
  return client
}

/**
 * Applies `SETTINGS` until the transaction ends. Settings that this version of PostgreSQL does not know are skipped.
 */
export async function setSessionSettings(client: pg.Client): Promise<void> {
  await client.query(
    `select set_config(name, given.value, true) from pg_settings join json_each_text($1) as given (name, value) using (name)`,
    [JSON.stringify(SETTINGS)],
  )
}
