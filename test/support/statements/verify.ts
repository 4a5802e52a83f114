// Runs after all tests: every recorded statement must return the row that it declares. A process of its own, because
// reading the declarations takes seconds, in which vitest could not see its workers end. Arguments: the folder of the
// run's records, the URL of the migrated template database.
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { differences } from './compare.ts'
import { readDeclaredRows } from './declared.ts'
import type { Recorded } from './record.ts'

/** Nullable columns that a statement proves to be not null: the file, the column and the reason. */
const PROVEN: Record<string, string> = {
  'src/features/accounts/mails/email-tokens.sql.ts email': 'joined by it',
  'src/features/auctions/sweep.sql.ts sessionId': 'filtered by it',
  'src/features/billing/duplicates.store.ts email': 'filtered by it',
  'src/features/billing/duplicates.store.ts userId': 'filtered by it',
  'src/features/billing/payments.store.ts sessionId': 'filtered by it',
  'src/features/claims/checks.sql.ts email': 'filtered by it',
  'src/features/claims/takeovers.store.ts email': 'a verified address is an address',
  'src/features/billing/payments.store.ts priceId': 'a subscription’s page has one',
  'src/features/billing/payments.store.ts userId': 'selected or inserted by it',
  'src/features/billing/refunds.sql.ts reference': 'selected by it',
  'src/features/billing/refunds.sql.ts sessionId': 'a refund is inserted for a page that has one',
  'src/features/billing/subscriptions.store.ts customerId': 'one of two values that are not null',
  'src/features/history/months.sql.ts polls': 'all five arrays are null together',
  'src/features/history/months.sql.ts answered': 'all five arrays are null together',
  'src/features/history/months.sql.ts playersSum': 'all five arrays are null together',
  'src/features/history/months.sql.ts playersMax': 'all five arrays are null together',
  'src/features/history/months.sql.ts maxPlayers': 'all five arrays are null together',
  'src/features/teams/teams.sql.ts email': 'filtered by it',
  'src/features/webhooks/disable-endpoint.sql.ts email': 'selected by it',
  'src/features/webhooks/disable-endpoint.sql.ts reason': 'a disabled endpoint has one',
  'src/features/claims/takeovers.store.ts ownerId': 'compared by it',
  'src/features/rewards/rewards.sql.ts outcome': 'a settled reward has one',
  'src/features/rcon/commands.sql.ts outcome': 'a completed command has one',
}

/** @returns a line for each statement whose row type is wrong */
async function verifyStatements(folder: string, url: string): Promise<string[]> {
  const records = fs
    .readdirSync(folder)
    .flatMap((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Recorded)
  if (!records.length) return []
  const rows = readDeclaredRows()
  const nullable = await readNullableColumns(url)
  const wrong = new Set<string>()
  for (const recorded of records) {
    const row = rows.get(recorded.at)
    if (!row) continue // no caller reads its rows
    const [file = ''] = recorded.at.split(':')
    const columns = new Map(recorded.columns.map(({ table, column, name }) => [`${table}.${column}`, name]))
    const mayBeNull = (table: number, column: number) =>
      `${file} ${columns.get(`${table}.${column}`)}` in PROVEN ? false : nullable(table, column)
    for (const difference of differences(row, recorded, mayBeNull)) wrong.add(`${recorded.at} ${difference}`)
  }
  const executed = new Set(records.map(({ at }) => at))
  process.stdout.write(
    `\nSQL rows: ${executed.size} statements ran, ${[...rows.keys()].filter((at) => executed.has(at)).length} of ${rows.size} declared rows verified\n`,
  )
  return [...wrong].sort()
}

async function readNullableColumns(url: string): Promise<(table: number, column: number) => boolean | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ table: number; column: number; nullable: boolean }>(
      `select attrelid::int as "table", attnum::int as "column", not attnotnull as nullable
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where attnum > 0 and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    )
    const known = new Map(rows.map(({ table, column, nullable }) => [`${table}.${column}`, nullable]))
    return (table, column) => known.get(`${table}.${column}`)
  } finally {
    await client.end()
  }
}

const [folder = '', url = ''] = process.argv.slice(2)
const wrong = await verifyStatements(folder, url)
if (wrong.length) {
  process.stderr.write(`SQL rows that differ from their declaration:\n${wrong.join('\n')}\n`)
  process.exitCode = 1
}
