// `servers import`: lists the valid rows of a file and reports what is wrong with the others.
import path from 'node:path'
import type { NewServerInput, Servers } from '../../src/features/servers/index.ts'
import type { ApiError } from '../../src/platform/http/errors.ts'
import type { ServersCommand } from './context.ts'
import { FIELDS, type Row, toInput } from './fields.ts'
import { type Counts, createProgress, type Progress } from './progress.ts'
import { openRows } from './rows.ts'

/** Rows per transaction: at most these are lost on an interruption; the progress bar moves as often. */
const BATCH = 1_000

export const importFile: ServersCommand = {
  help: `npm run servers -- import <file>

Lists the servers in a file. Valid rows are added; each invalid one is reported with its line, field and rule.
Importing a file again adds only new servers. Exits with 1 if any row was invalid.

  <file>   CSV with a header line, a JSON array of objects, or one JSON object per line; UTF-8

Columns: ${FIELDS.join(', ')}.
name and ipAddress are required, and gamePort for games without a usual port. tags, rates and mods are comma-separated (tags may be a JSON array).
`,
  options: {},
  arguments: ['file'],
  async run({ servers }, _values, [file = '']) {
    // npm runs scripts in the project's folder, but the path is relative to the folder where npm was called.
    const { rows, fraction } = await openRows(path.resolve(process.env.INIT_CWD ?? '', file))
    const progress = createProgress(process.stderr)
    const importer = createImporter(servers, progress)
    try {
      for await (const batch of batches(rows)) {
        await importer.take(batch)
        progress.show(importer.counts, fraction())
      }
    } finally {
      progress.end()
      const { added, refused } = importer.counts
      console.log(`${added + refused} rows read: ${added} added, ${refused} refused`)
    }
    return importer.counts.refused ? 1 : 0
  },
}

/** Reports a file that is broken halfway, after its valid part was imported. */
async function* batches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  let failure: { error: unknown } | undefined
  try {
    for await (const row of rows) {
      batch.push(row)
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
  } catch (error) {
    failure = { error }
  }
  if (batch.length) yield batch
  if (failure) throw failure.error
}

function createImporter(servers: Servers, progress: Progress) {
  const counts: Counts = { added: 0, refused: 0 }
  const ignored = new Set<string>()
  /** Where in this file a server that was added is from. */
  const places = new Map<string, string>()

  const refuse = (row: Row, reason: string) => {
    counts.refused++
    progress.note(`${row.place}: ${reason}`)
  }

  function warnOfUnknown(row: Row): void {
    for (const field of Object.keys(row.values)) {
      if (ignored.has(field) || (FIELDS as readonly string[]).includes(field)) continue
      ignored.add(field)
      progress.note(`warning: unknown column ${JSON.stringify(field)} is ignored (first in ${row.place})`)
    }
  }

  const reasonOf = (error: ApiError) => {
    if (error.code !== 'already_listed') return error.message
    const id = String(error.fields.serverId)
    return `ipAddress and queryPort are already those of ${places.get(id) ?? `server ${id}`}`
  }

  return {
    counts,
    async take(rows: Row[]): Promise<void> {
      for (const row of rows) warnOfUnknown(row)
      const readable = rows.filter((row) => problemOf(row) === undefined)
      const results = await servers.addMany(readable.map((row) => toInput(row.values) as NewServerInput))
      const outcome = new Map(readable.map((row, index) => [row, results[index]]))
      for (const [row, result] of outcome) if (result && 'id' in result) places.set(result.id, row.place)
      for (const row of rows) {
        const result = outcome.get(row)
        if (!result) refuse(row, problemOf(row) ?? '')
        else if ('error' in result) refuse(row, reasonOf(result.error))
        else counts.added++
      }
    },
  }
}

function problemOf({ problem, values }: Row): string | undefined {
  // The replacement character for bytes that are not UTF-8, for example in a Latin-1 file.
  const garbled = Object.entries(values).find(([, value]) => typeof value === 'string' && value.includes('\uFFFD'))
  return problem ?? (garbled && `${garbled[0]}: must be UTF-8 text`)
}
