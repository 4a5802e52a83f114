// Lists the valid rows of a file, and reports why each other row is refused.
import type { AddServers, NewServerInput } from '../servers/index.ts'
import { FIELDS, type Row, toInput } from './fields.ts'

type Refused = Extract<Awaited<ReturnType<AddServers>>[number], { error: unknown }>

export interface Counts {
  added: number
  refused: number
}

interface ImporterOptions {
  /** `addMany` lists servers; a check only says what it would answer. */
  add: AddServers
  refused(row: Row, reason: string): void
  /** Called once for each column that no field has, with the first row that has it. */
  ignored(column: string, row: Row): void
}

export function createImporter({ add, refused, ignored }: ImporterOptions) {
  const counts: Counts = { added: 0, refused: 0 }
  const unknown = new Set<string>()
  /** Line of each added server, by id. */
  const places = new Map<string, string>()

  const refuse = (row: Row, reason: string) => {
    counts.refused++
    refused(row, reason)
  }

  function reportUnknown(row: Row): void {
    for (const field of Object.keys(row.values)) {
      if (unknown.has(field) || (FIELDS as readonly string[]).includes(field)) continue
      unknown.add(field)
      ignored(field, row)
    }
  }

  const reasonOf = ({ error, holderId: id }: Refused) =>
    id === undefined
      ? error.message
      : `ipAddress and queryPort are already those of ${places.get(id) ?? `server ${id}`}`

  return {
    counts,
    async take(rows: readonly Row[]): Promise<void> {
      for (const row of rows) reportUnknown(row)
      const readable = rows.filter((row) => problemOf(row) === undefined)
      const results = await add(readable.map((row) => toInput(row.values) as NewServerInput))
      const outcome = new Map(readable.map((row, index) => [row, results[index]]))
      for (const [row, result] of outcome) if (result && 'id' in result) places.set(result.id, row.place)
      for (const row of rows) {
        const result = outcome.get(row)
        if (!result) refuse(row, problemOf(row) ?? '')
        else if ('error' in result) refuse(row, reasonOf(result))
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
