// German: pages that can't be shown.
import type { errors as Original } from '../en/errors.ts'

export const errors: typeof Original = {
  home: 'Zur Serverliste',
  again: 'Noch einmal versuchen',
  wrongValue: 'Die Adresse enthält einen Wert, der nicht geht:',
  parameters: { page: 'Seite', q: 'Suche', sortBy: 'Sortierung', maxMultiplier: 'Raten', minMultiplier: 'Raten' },
  reference: 'Kennung:',
  report: 'Den Fehler melden',
  reportSubject: 'Fehler {reference}',
  titles: {
    400: 'Das kann nicht angezeigt werden',
    401: 'Bitte zuerst anmelden',
    403: 'Nicht erlaubt',
    404: 'Nicht gefunden',
    413: 'Zu groß',
    429: 'Zu viele Anfragen',
    500: 'Etwas ist schiefgegangen',
    503: 'Gerade nicht verfügbar',
  },
  hints: {
    401: 'Deine Sitzung ist abgelaufen. Melde dich in einem anderen Tab an und lade dann diese Seite neu: Dein Browser schickt das Formular noch einmal ab.',
    403: 'Das ist hier oder mit deinem Konto nicht erlaubt.',
    404: 'Der Server wurde vielleicht entfernt, oder die Adresse ist falsch geschrieben.',
    413: 'Geh zurück und wähle eine kleinere Datei.',
    429: 'Bitte kurz warten und noch einmal versuchen.',
    500: 'Der Fehler wurde mit der Kennung unten aufgezeichnet.',
    503: 'Das Verzeichnis antwortet gerade nicht. Meist geht diese Seite binnen einer Minute wieder.',
  },
  retry: 'Es geht {when} wieder.',
}
