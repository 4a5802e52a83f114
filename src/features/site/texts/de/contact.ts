// German: the contact form.
import type { contact as Original } from '../en/contact.ts'

export const contact: typeof Original = {
  title: 'Kontakt',
  lead: 'Schreib der Verwaltung dieses Verzeichnisses. Um einen Server zu melden, nimm den Knopf auf seiner Seite.',
  name: 'Dein Name',
  email: 'Deine E-Mail-Adresse',
  emailHint: 'An diese Adresse kommt die Antwort.',
  subject: 'Betreff (freiwillig)',
  message: 'Nachricht',
  send: 'Senden',
  sent: 'Deine Nachricht wurde gesendet. Die Antwort kommt per E-Mail.',
  leaveEmpty: 'Dieses Feld leer lassen',
}
