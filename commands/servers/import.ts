// `servers import`: lists the valid rows of a file and reports what is wrong with the others.
import { createImporter, FIELDS, type Row } from '../../src/features/listing-files/index.ts'
import { defineCommand, fileOfCaller } from '../command.ts'
import { withServers } from './context.ts'
import { createProgress } from './progress.ts'
import { openRows } from './rows.ts'

/** Rows per transaction: at most these are lost on an interruption; the progress bar moves as often. */
const BATCH = 1_000

export const importFile = defineCommand({
  help: `npm run servers -- import <file>

Lists the servers in a file. Valid rows are added, and each invalid one is reported with its line, its field and the reason.
The exit code is 1 if a row was invalid. If you import a file again, only its new servers are added.

  <file>   UTF-8: CSV with a header line, a JSON array of objects, or one JSON object per line

Columns: ${FIELDS.join(', ')}.
name and ipAddress are required, and gamePort for games without a usual port. tags, rates and mods are comma-separated lists;
in JSON, tags may be an array. An export to CSV puts an apostrophe before a cell that begins with =, +, -, @ or an apostrophe;
the import removes it.
`,
  arguments: ['file'],
  run: ([file]) =>
    withServers(async ({ servers }) => {
      const { rows, fraction } = await openRows(fileOfCaller(file))
      const progress = createProgress(process.stderr)
      const importer = createImporter({
        add: servers.addMany,
        refused: ({ place }, reason) => progress.note(`${place}: ${reason}`),
        ignored: (column, { place }) =>
          progress.note(`warning: unknown column ${JSON.stringify(column)} is ignored (first in ${place})`),
      })
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
    }),
})

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
