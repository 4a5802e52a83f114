// Files of listings: CSV as `npm run servers -- import` and administrators' uploads read it, and as
// the export writes it.
export { FIELDS, type Row, toInput } from './fields.ts'
export { type Counts, createImporter } from './importer.ts'
export { readCsv, UnreadableFile } from './read-csv.ts'
