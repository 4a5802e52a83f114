// Pictures of a server.
import type { faces as Original } from '../../en/owner/faces.ts'

export const faces: typeof Original = {
  title: 'Bilder',
  tooLarge: 'Wähle ein Bild von höchstens 5 MB.',
  lead: 'PNG, JPEG, WebP oder GIF (das erste Bild), höchstens 5 MB. Gespeichert wird eine neue Fassung, ohne Ort und Kamera, die Fotos nennen.',
  logo: 'Logo',
  banner: 'Banner',
  choose: {
    logo: 'Quadratisch, ab 128 × 128 Pixeln',
    banner: 'Viermal so breit wie hoch, ab 960 × 240 Pixeln',
  },
  upload: 'Hochladen',
  sending: 'Das Bild wird gesendet …',
  pending: 'Das Bild wird verarbeitet. Lade diese Seite gleich noch einmal.',
  refused: 'Das letzte Bild wurde abgelehnt:',
  iconLocked: 'Die Verwaltung hat das Icon entfernt, das dein Spielserver meldet, und es wird nicht gezeigt.',
  locked: 'Die Verwaltung hat dieses Bild entfernt, und es kann kein anderes gesetzt werden.',
  remove: 'Bild entfernen',
  removeWarning: 'Es verschwindet sofort von allen Seiten.',
}
