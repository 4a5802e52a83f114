// The fields of a listing, when it is added and when it is changed.
import type { add as Add, edit as Edit } from '../../en/owner/edit.ts'

export const add: typeof Add = {
  game: 'Spiel',
  address: 'Adresse',
  gamePort: 'Spiel-Port',
  gamePortHint: 'Leer lassen, wenn Spieler sich ohne Port verbinden.',
  queryPort: 'Abfrage-Port',
  name: 'Name',
  description: 'Beschreibung',
  descriptionHint: 'Markdown: **fett**, Listen, Links, Überschriften. Keine Bilder.',
  preview: 'Vorschau',
  tags: 'Schlagwörter',
  tagsHint: 'Durch Kommas getrennt, höchstens 10.',
}

export const edit: typeof Edit = {
  title: 'Eintrag',
  moved:
    'Nach einer Änderung von Adresse oder Port weist du den Besitz neu nach. Stimmen und Verlauf bleiben; das Passwort der Konsole wird gelöscht.',
  gameMode: 'Modus',
  noMode: 'keiner angegeben',
  region: 'Region',
  regionHint: 'Leer: nach der Adresse.',
  website: 'Website',
  chatUrl: 'Chat',
  chatHint: 'Einladung zu Discord oder einem anderen Chat.',
  bannerUrl: 'Adresse eines Banners',
  bannerUrlHint: 'Wir laden das Bild einmal, wenn sich diese Adresse ändert. Oder lade unten eines hoch.',
  rates: 'Raten',
  ratesHint: 'Zum Beispiel xp:2,harvest:3.5',
  mods: 'Mods',
  modsHint: 'Durch Kommas getrennt.',
  nameFrom: 'Herkunft des Namens',
  nameFromOwner: 'Wie hier eingegeben',
  nameFromServer: 'Wie ihn der Spielserver nennt',
  bedrockAddress: 'Bedrock-Adresse',
  bedrockHint: 'Für Spieler der Bedrock-Edition; leer, wenn sie nicht mitspielen können.',
  bedrockPort: 'Bedrock-Port',
  bedrockPortHint: 'Leer: 19132.',
  remove: 'Server entfernen',
  removeWarning: 'Der Eintrag verschwindet sofort, mit seinem Platz in der Liste.',
  removeConfirm: 'Entfernen',
}
