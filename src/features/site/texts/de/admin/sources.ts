// Sources.
import type { sources as Original } from '../../en/admin/sources.ts'

export const sources: typeof Original = {
  lead: 'Wo das Verzeichnis Server findet, die kein Konto eingetragen hat. Die Einstellung DISCOVER nennt die Quellen.',
  none: 'Keine Quelle wird genutzt. Mit dieser Zeile füllt sich das Verzeichnis von selbst:',
  off: 'nicht genutzt',
  offHint: 'Die Einstellung DISCOVER nennt sie nicht mehr. Ihre Server bleiben eingetragen, solange sie antworten.',
  running: 'läuft',
  run: 'Jetzt ausführen',
  next: 'Nächster Lauf',
  listed: 'Eingetragene Server ohne Besitzer',
  found: 'Gefunden',
  added: 'Neu',
  returned: 'Zurückgekehrt',
  missing: 'Nicht mehr in der Quelle',
  refused: 'Nicht eingetragen',
  reasons: {
    unresolved: 'der Name führt nirgendwohin',
    private: 'private Adresse',
    invalid: 'ungültige Adresse',
    blocked: 'gesperrt',
    removed: 'von einem Menschen entfernt',
    crowded: 'zu viele an einer Adresse',
    repeated: 'doppelt in der Quelle',
    silent: 'antwortet nicht',
    foreign: 'von anderswo angekündigt',
  },
  error: 'Letzter Fehlschlag',
}
