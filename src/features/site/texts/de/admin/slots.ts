// Ad slots.
import type { slots as Original } from '../../en/admin/slots.ts'

export const slots: typeof Original = {
  newSlot: 'Neuer Werbeplatz',
  location: 'Ort, zum Beispiel home-top',
  name: 'Name',
  width: 'Breite in Pixeln',
  height: 'Höhe in Pixeln',
  slotActive: 'wird verkauft und angezeigt',
  slotInactive: 'inaktiv',
  activate: 'Aktivieren',
  deactivate: 'Deaktivieren',
  deleteSlot: 'Nur ein Werbeplatz ohne Auktionen und Belegungen kann gelöscht werden.',
}
