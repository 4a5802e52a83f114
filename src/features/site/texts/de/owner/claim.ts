// The proof of a server.
import type { claim as Original } from '../../en/owner/claim.ts'

export const claim: typeof Original = {
  title: 'Nachweisen, dass er dir gehört',
  lead: 'Zeige einen Prüfcode, wo nur der Besitzer schreiben kann: im Namen des Servers, in seinen Schlagwörtern oder Regeln. Wir suchen ihn bei jeder Abfrage, und auf Wunsch sofort.',
  start: 'Prüfcode holen',
  token: 'Dein Prüfcode',
  step: 'Setze ihn in Namen, Schlagwörter oder Regeln des Servers, zum Beispiel „Mein Server {token}“, starte ihn neu, wenn das Spiel es braucht, und prüfe dann.',
  where: {
    minecraft:
      'In Minecraft ist es die Nachricht des Tages: motd in server.properties, oder die des Proxys, wenn Spieler über einen kommen.',
    minetest:
      'In Luanti ist es server_name in minetest.conf. Der Server meldet ihn beim Start, starte ihn also neu; wir sehen ihn innerhalb einer Minute.',
  },
  expires: 'Gültig bis {date}.',
  check: 'Jetzt prüfen',
  checking: 'Der Server wird gefragt …',
  busy: 'Der Server konnte gerade nicht abgefragt werden. Versuche es gleich noch einmal.',
  checks: {
    token_missing: 'Der Server hat geantwortet, zeigt den Prüfcode aber noch nicht.',
    silent: 'Der Server hat nicht geantwortet. Läuft er, und stimmen Adresse und Abfrage-Port?',
    several_answers: 'Der Server hat mehrmals auf einmal geantwortet, das beweist nichts. Versuche es noch einmal.',
  },
  done: 'Der Server gehört nachweislich dir. Den Prüfcode kannst du wieder entfernen.',
  listed: 'Eingetragen. Ein Schritt bleibt: Weise nach, dass er dir gehört.',
  later: 'Später',
  takeover:
    'Jemand anderes hat schon nachgewiesen, dass ihm dieser Server gehört. Am {date} geht er an dich über, wenn der Prüfcode bleibt.',
  open: 'Server verwalten',
  inTeam: 'Du gehörst zum Team dieses Servers.',
  stop: 'Ansprüche anderer beenden',
  stopHint: 'Sie können den Server dann 30 Tage lang nicht beanspruchen.',
}
