// The import and export of CSV files.
import type { files as Original } from '../../en/admin/import.ts'

export const files: typeof Original = {
  import: 'CSV importieren',
  export: 'CSV exportieren',
  title: 'Server importieren',
  choose: 'Eine Datei wählen',
  another: 'Eine andere Datei wählen',
  columns: 'CSV in UTF-8, höchstens 1 MB und 5.000 Zeilen. Die erste Zeile nennt die Spalten:',
  larger: 'Größere Dateien und JSON nimmt der Befehl npm run servers -- import.',
  file: 'CSV-Datei',
  check: 'Datei prüfen',
  preview: 'Was die Datei bewirken würde',
  done: 'Der Import',
  wouldAdd: { one: '{n} Server kann eingetragen werden.', other: '{n} Server können eingetragen werden.' },
  added: { one: '{n} Server ist eingetragen.', other: '{n} Server sind eingetragen.' },
  ignored: 'Diese Spalten werden nicht verwendet: {columns}',
  refused: { one: '{n} Zeile wird abgelehnt', other: '{n} Zeilen werden abgelehnt' },
  refusedRows: 'Abgelehnte Zeilen',
  line: 'Zeile',
  reason: 'Grund',
  add: { one: '{n} Server eintragen', other: '{n} Server eintragen' },
}
