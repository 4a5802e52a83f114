// Records the columns that each SQL statement of the product returns while tests run. `verify.ts` compares the records
// with the row types that the statements declare.
import path from 'node:path'
import pg from 'pg'

export interface Column {
  name: string
  /** OID of the column's type. */
  type: number
  /** The table's OID and the column's number; 0 for an expression. */
  table: number
  column: number
  /** Whether a row had null in this column. */
  wasNull: boolean
}

export interface Recorded {
  /** The line that sends the statement: `src/features/votes/votes.sql.ts:61`. */
  at: string
  columns: Column[]
}

const ROOT = path.resolve(import.meta.dirname, '../../..')
/** Helpers that send statements for their callers; the caller is one frame up. */
const CARRIERS = /^src\/platform\/(db\/(pool|models)|queue\/jobs)\.ts$/
const FRAME = /(?:file:\/\/)?(\/[^():]+\.ts):(\d+):\d+\)?$/

const records = new Map<string, Recorded>()

/** By statement: reading the stack takes far longer than sending a statement. */
const senders = new Map<string, string | undefined>()

/** The product's line that sent the statement first; undefined for tests, commands and libraries. */
function senderOf(query: unknown): string | undefined {
  const text = typeof query === 'string' ? query : ((query as { text?: string } | undefined)?.text ?? '')
  if (!senders.has(text)) senders.set(text, sender())
  return senders.get(text)
}

function sender(): string | undefined {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, sender)
  for (const frame of (holder.stack ?? '').split('\n').slice(1)) {
    const [, file = '', line = ''] = FRAME.exec(frame) ?? []
    const from = path.relative(ROOT, file)
    if (/^(src|workers)\//.test(from)) {
      if (!CARRIERS.test(from)) return `${from}:${line}`
    } else if (/^(test|commands|dev)\//.test(from) && !from.startsWith('test/support/statements/')) return undefined
  }
  return undefined
}

function record(at: string, { fields, rows }: pg.QueryResult<Record<string, unknown>>): void {
  if (!fields?.length) return
  const key = `${at} ${fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()}`
  const known = records.get(key) ?? { at, columns: fields.map(columnOf) }
  records.set(key, known)
  for (const column of known.columns) column.wasNull ||= rows.some((row) => row[column.name] === null)
}

const columnOf = ({ name, dataTypeID, tableID, columnID }: pg.FieldDef): Column => ({
  name,
  type: dataTypeID,
  table: tableID,
  column: columnID,
  wasNull: false,
})

type Query = (this: unknown, ...args: unknown[]) => unknown

function watch(prototype: { query: unknown }): void {
  const original = prototype.query as Query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const at = senderOf(args[0])
    const answer = original.apply(this, args)
    if (at !== undefined && answer instanceof Promise)
      answer.then(
        (result) => record(at, result),
        () => undefined,
      )
    return answer
  } as Query
}

watch(pg.Client.prototype)
watch(pg.Pool.prototype)

/** @returns what was recorded since the last call */
export function takeRecords(): Recorded[] {
  const taken = [...records.values()]
  records.clear()
  senders.clear()
  return taken
}
