// German: adding a server.
import type { add as Original } from '../en/add.ts'

export const add: typeof Original = {
  title: 'Server eintragen',
  lead: 'Füge seine Adresse ein: Wir fragen ihn und zeigen, was Spieler sehen werden. Vor dem letzten Schritt wird nichts gespeichert.',
  address: 'Adresse',
  addressLabel: 'Adresse oder Beitrittslink',
  addressHint:
    'Wie Spieler sie eingeben: play.example.org, 203.0.113.5:27015 oder [2001:db8::1]:27015. Auch Beitrittslinks wie steam://connect/… sind möglich.',
  find: 'Server finden',
  finding: 'Die Adresse wird abgefragt …',
  game: 'Spiel',
  looksLike: {
    one: 'Server gefunden: {name} ({game}), {now} von {n} Spieler.',
    other: 'Server gefunden: {name} ({game}), {now} von {n} Spielern.',
  },
  otherGame: 'Es ist ein anderes Spiel',
  gameLabel: 'Welches Spiel ist es?',
  gameHint: 'Tippe, um zu suchen, auch mit einem Kürzel wie „cs2“ oder „ark“.',
  queryPort: 'Abfrage-Port',
  queryPortHint: 'Nur, wenn der Server an einem ungewöhnlichen antwortet.',
  again: 'Noch einmal fragen',
  silent: 'Unter {address} hat kein Spielserver geantwortet.',
  silentGame: 'Unter {address}, Abfrage-Port {port}, hat kein Server von {game} geantwortet.',
  reasons: {
    silent: 'Läuft er, stimmt der Port, und lässt seine Firewall Abfragen durch?',
    unreadable: 'Dort antwortet etwas, aber nicht wie dieses Spiel. Stimmen das Spiel und der Abfrage-Port?',
    unresolved: 'Der Name führt zu keiner öffentlichen Adresse.',
    unavailable: 'Er konnte gerade nicht abgefragt werden. Versuche es gleich noch einmal.',
  },
  chooseGame: 'Wähle das Spiel, und wir fragen noch einmal an seinen üblichen Ports.',
  anyway: 'Du kannst ihn trotzdem eintragen: Er gilt als offline, bis er antwortet.',
  listed: 'Dieser Server ist schon eingetragen.',
  claimIt: 'Diesen Eintrag beanspruchen',
  look: 'So sehen ihn Spieler',
  lookHint: 'Stimmen und die Spieler eines Tages kommen mit der Zeit dazu.',
  save: 'Server eintragen',
  ambiguous: 'Das ist der Name mehrerer Spiele: {names}.',
  near: 'Das ist kein Spiel der Liste. Meintest du {names}?',
  unknown: 'Das ist kein Spiel der Liste.',
  busy: 'Die Adresse konnte gerade nicht abgefragt werden. Versuche es gleich noch einmal.',
}
