// What several pages show.
import type { common as Original } from '../../en/admin/common.ts'

export const common: typeof Original = {
  search: 'Suche',
  filter: 'Filtern',
  any: 'alle',
  yes: 'ja',
  no: 'nein',
  nothing: 'Nichts passt.',
  none: 'Hier ist noch nichts.',
  total: { one: '{n} Eintrag', other: '{n} Einträge' },
  status: 'Status',
  lastRun: 'Letzter Lauf',
  never: 'nie',
  server: 'Server',
  votes: 'Stimmen',
  networks: 'Netze',
  showAudit: 'Protokoll dazu',
  notListed: 'nicht eingetragen',
  create: 'Anlegen',
  change: 'Ändern',
  delete: 'Löschen',
  confirmDelete: 'Ja, löschen',
  tier: 'Stufe',
}
