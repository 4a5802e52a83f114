// docs/performance.json: the newest results of each benchmark. docs/PERFORMANCE.md shows them as one table, and other
// documents quote them.
import fs from 'node:fs'
import path from 'node:path'
import type { Finding } from './report.ts'

export interface Section {
  title: string
  /** The command that measures the section again. */
  repeat: string
  /** How many runs, and on which machine. */
  conditions: string
  date: string
  rows: Row[]
}

/** A finding with the id by which documents quote it. */
type Row = Finding & { id: string }

export type Results = Record<string, Section>

const DOCS = path.resolve(import.meta.dirname, '../../docs')
export const RESULTS_FILE = path.join(DOCS, 'performance.json')
export const DOCUMENT = path.join(DOCS, 'PERFORMANCE.md')
const [BEGIN, END] = ['<!-- results: written by `npm run bench -- --render` -->', '<!-- end of results -->']

export const readResults = (file: string): Results =>
  fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Results) : {}

/**
 * Replaces one section of the file.
 * @throws Error if two findings would have the same id
 */
export function saveSection(
  file: string,
  name: string,
  { findings, ...section }: Omit<Section, 'rows'> & { findings: Finding[] },
): void {
  const rows = findings.map((finding) => ({ id: `${name}.${slug(finding.what)}`, ...finding }))
  const repeated = rows.find(({ id }, index) => rows.findIndex((row) => row.id === id) !== index)
  if (repeated) throw new Error(`two results have the id ${repeated.id}`)
  const results: Results = { ...readResults(file), [name]: { ...section, rows } }
  fs.writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}

/** The document with a table of these results in place of its former one. */
export function renderDocument(document: string, results: Results): string {
  const [before, rest] = document.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('docs/PERFORMANCE.md has no place for the results')
  return `${before}${BEGIN}\n${renderTable(results)}\n${END}${after}`
}

function renderTable(results: Results): string {
  const lines = ['| result | measured (lowest to highest) | target |', '|---|---|---|']
  for (const { title, repeat, conditions, rows } of Object.values(results)) {
    lines.push(`| **${title}** · \`${repeat}\` · ${conditions} | | |`)
    for (const { what, value, spread, target, met } of rows)
      lines.push(
        `| ${what} | ${value}${spread ? ` (${spread})` : ''} | ${target ? `${target}${met ? '' : ', **missed**'}` : ''} |`,
      )
  }
  return lines.join('\n')
}

/** `3.6 <!-- votes.ratio -->`: a number that a document quotes, and the id of its row. */
const QUOTE = /<!-- ([\w-]+\.[\w-]+) -->/g

/** @returns one sentence for each quote that names no row, or does not follow the row's value */
export function findWrongQuotes(document: string, results: Results): string[] {
  const rows = new Map(Object.values(results).flatMap((section) => section.rows.map((row) => [row.id, row] as const)))
  const oneLine = document.replaceAll(/\s+/g, ' ')
  return [...oneLine.matchAll(QUOTE)].flatMap(({ 0: quote, 1: id = '', index }) => {
    const row = rows.get(id)
    if (!row) return [`${quote} is no result`]
    const text = oneLine.slice(0, index).trimEnd()
    const isQuoted = text.endsWith(row.value) && !/[\d.,]$/.test(text.slice(0, -row.value.length))
    return isQuoted ? [] : [`${quote} must follow ${row.value}`]
  })
}

const slug = (what: string) =>
  what
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
