// Compares a declared row type with the columns that PostgreSQL reports for a statement.
import type { Kind, Property, Row } from './declared.ts'
import type { Recorded } from './record.ts'

/** The JavaScript types that pg returns for PostgreSQL's types; any type not listed is text. */
const KINDS: Record<number, Kind> = {
  16: 'boolean',
  17: 'buffer',
  20: 'number', // bigint, by the pool's parser
  21: 'number',
  23: 'number',
  26: 'number',
  114: 'any',
  700: 'number',
  701: 'number',
  1082: 'date',
  1114: 'date',
  1184: 'date',
  3802: 'any',
}
/** Array types that pg parses; others arrive as text. */
const ARRAYS = new Set([
  199, 1000, 1001, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1028, 1115, 1182, 1185, 1231, 2951, 3807,
])

/** @param isNullable whether a table's column is declared without `not null`; undefined for an unknown column */
export function differences(
  row: Row,
  { columns }: Recorded,
  isNullable: (table: number, column: number) => boolean | undefined,
): string[] {
  const returned = new Set(columns.map(({ name }) => name))
  const missing = Object.keys(row).filter((name) => !returned.has(name))
  return [
    ...missing.map((name) => `declares "${name}", which the statement does not return`),
    ...columns.flatMap((column) => {
      const property = row[column.name]
      if (!property) return [`returns "${column.name}", which its row type does not declare`]
      const kind = ARRAYS.has(column.type) ? 'array' : (KINDS[column.type] ?? 'string')
      if (!fits(property, kind))
        return [`declares "${column.name}" as ${property.kinds.join(' or ')}, and it is ${kind}`]
      if (property.nullable) return []
      if (column.wasNull) return [`declares "${column.name}" as never null, and it was null`]
      if (isNullable(column.table, column.column))
        return [`declares "${column.name}" as never null, and its column may be null`]
      return []
    }),
  ]
}

const fits = ({ kinds }: Property, kind: Kind): boolean =>
  kind === 'any' || kinds.some((declared) => declared === kind || declared === 'any')
