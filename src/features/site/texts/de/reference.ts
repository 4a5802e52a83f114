// German: the API reference.
import type { reference as Original } from '../en/reference.ts'

export const reference: typeof Original = {
  title: 'API-Referenz',
  about: 'Was diese Website kann, kann auch dein Programm. Die Beschreibung für Werkzeuge ist OpenAPI 3.1:',
  quickStart: 'Schnellstart',
  contents: 'Operationen',
  search: 'Operationen suchen',
  results: 'Operationen mit „{text}“',
  found: { one: '{n} Operation', other: '{n} Operationen' },
  nothing: 'Keine Operation enthält alle diese Wörter. Versuche es mit weniger oder mit einem Teil eines Pfads.',
  sections: {
    public: 'Öffentlich',
    accounts: 'Für Konten und Serverbetreiber',
    operators: 'Für die Verwaltung',
  },
  needs: {
    nothing: 'Ohne Anmeldung.',
    session: 'Braucht eine Sitzung.',
    sessionOrKey: 'Braucht eine Sitzung oder einen API-Schlüssel.',
    admin: 'Braucht die Sitzung eines Administrators.',
    moderator: 'Braucht die Sitzung eines Moderators oder Administrators.',
  },
  language: 'Sprache der Beispiele',
  request: 'Anfrage',
  response: 'Antwort',
  fields: 'Alle Felder',
  parameters: 'Parameter',
  optional: 'optional',
  byDefault: 'Vorgabe',
  characters: 'Zeichen',
  body: 'Inhalt',
  errors: 'Fehler',
  tryIt: 'Ausprobieren',
  key: 'API-Schlüssel als KEY.SECRET (optional)',
  send: 'Senden',
}
