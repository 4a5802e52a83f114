// Reads the row types that the product declares, `db.query<Row>(…)`, with the type checker.
import path from 'node:path'
import ts from 'typescript'

/** The type of a row's property. `any` fits every column. */
export type Kind = 'string' | 'number' | 'boolean' | 'date' | 'buffer' | 'array' | 'object' | 'any'

export interface Property {
  kinds: Kind[]
  nullable: boolean
}

export type Row = Record<string, Property>

const ROOT = path.resolve(import.meta.dirname, '../../..')

/**
 * @param files the product's unless given
 * @returns rows by the line that calls `query`: `src/features/votes/votes.sql.ts:61`
 */
export function readDeclaredRows(files = productFiles()): Map<string, Row> {
  const config = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT)
  const program = ts.createProgram(files, { ...options, noEmit: true })
  const checker = program.getTypeChecker()
  const rows = new Map<string, Row>()

  const visit = (node: ts.Node, source: ts.SourceFile): void => {
    if (ts.isCallExpression(node) && node.typeArguments?.length === 1) {
      const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression
      if (ts.isIdentifier(name) && name.text === 'query') {
        const { line } = source.getLineAndCharacterOfPosition(name.getStart())
        const at = `${path.relative(ROOT, source.fileName)}:${line + 1}`
        const type = checker.getTypeFromTypeNode(node.typeArguments[0] as ts.TypeNode)
        // The callers of a helper declare its type parameter, and the recorder can't tell them apart.
        if (!(type.flags & ts.TypeFlags.TypeParameter)) rows.set(at, rowOf(checker, type))
      }
    }
    ts.forEachChild(node, (child) => visit(child, source))
  }
  for (const source of program.getSourceFiles())
    if (/^(src|workers)\//.test(path.relative(ROOT, source.fileName))) visit(source, source)
  return rows
}

/** Those that declare a row: the compiler finds what their types come from. */
const productFiles = () =>
  ts.sys
    .readDirectory(ROOT, ['.ts'], ['src/generated'], ['src/**/*', 'workers/**/*'])
    .filter((file) => ts.sys.readFile(file)?.includes('query<'))

function rowOf(checker: ts.TypeChecker, type: ts.Type): Row {
  return Object.fromEntries(
    checker.getPropertiesOfType(type).map((property) => {
      const parts = unionOf(checker.getTypeOfSymbol(property))
      const isNull = (part: ts.Type) => Boolean(part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined))
      const kinds = parts.filter((part) => !isNull(part)).map((part) => kindOf(checker, part))
      return [property.name, { kinds: [...new Set(kinds)], nullable: parts.some(isNull) || kinds.includes('any') }]
    }),
  )
}

const unionOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type])

function kindOf(checker: ts.TypeChecker, type: ts.Type): Kind {
  const { flags } = type
  if (flags & ts.TypeFlags.StringLike || flags & ts.TypeFlags.TemplateLiteral) return 'string'
  if (flags & ts.TypeFlags.NumberLike) return 'number'
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean'
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'any'
  if (checker.isArrayType(type) || checker.isTupleType(type)) return 'array'
  const name = type.getSymbol()?.getName()
  return name === 'Date' ? 'date' : name === 'Buffer' || name === 'Uint8Array' ? 'buffer' : 'object'
}
