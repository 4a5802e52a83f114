// Messages of the contact form.
import type { contact as Original } from '../../en/admin/contact.ts'

export const contact: typeof Original = {
  deleteMessage: 'Die Nachricht wird endgültig gelöscht.',
  suspect: 'Sieht nach Spam aus',
  noSubject: 'Ohne Betreff',
}
