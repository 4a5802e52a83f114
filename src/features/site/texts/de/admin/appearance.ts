// The appearance of the site.
import type { appearance as Original } from '../../en/admin/appearance.ts'

export const appearance: typeof Original = {
  lead: 'Änderungen sind sofort zu sehen: auf allen Seiten, auf den Seiten der Zahlungen und in Mails.',
  name: 'Name der Website',
  nameHint: 'Leer: {name}',
  hasAccent: 'Diese Farbe verwenden',
  accent: 'Akzentfarbe',
  accentHint:
    'Für Links und Schaltflächen. Jedes Farbschema bekommt eine hellere oder dunklere Variante, die alle lesen können.',
  themes: { light: 'Helles Farbschema', dark: 'Dunkles Farbschema' },
  samples: { link: 'Link', button: 'Knopf', chosen: 'Gewählt' },
  introduction: 'Einleitung',
  introductionHint: 'Über der Serverliste, bis zu 2.000 Zeichen Markdown.',
  preview: 'Vorschau',
  imprint: 'Adresse des Impressums',
  privacy: 'Adresse der Datenschutzerklärung',
  linkHint: 'Am Ende jeder Seite verlinkt. Leer: kein Link.',
  logo: 'Logo',
  logoLead:
    'Neben dem Namen, als Symbol der Website und in Mails. Am besten ein Quadrat mit mindestens 128 × 128 Pixeln.',
  choose: 'Bild (PNG, JPEG, WebP oder GIF, höchstens 5 MB)',
  tooLarge: 'Wähle ein Bild von höchstens 5 MB.',
  upload: 'Hochladen',
  sending: 'Das Bild wird verarbeitet…',
  pending: 'Das Bild wird verarbeitet. Lade diese Seite gleich noch einmal.',
  refused: 'Das Bild wurde abgelehnt:',
  remove: 'Logo entfernen',
  removeWarning: 'An seiner Stelle erscheint das Logo des Produkts.',
}
