// The console.
import type { rcon as Original } from '../../en/owner/rcon.ts'

export const rcon: typeof Original = {
  title: 'Konsole',
  lead: 'Befehle über RCON, vom Verzeichnis gesendet. Jeder Befehl wird protokolliert, ohne Passwörter.',
  command: 'Befehl',
  send: 'Senden',
  sending: 'Warten auf die Antwort …',
  empty: 'Der Server hat ohne Text geantwortet.',
  busy: 'Gerade konnte kein Arbeitsprozess den Befehl senden; er wurde nicht ausgeführt. Versuche es gleich noch einmal.',
  access: 'Zugang',
  port: 'RCON-Port',
  password: 'RCON-Passwort',
  passwordHint: 'Wird verschlüsselt gespeichert und nie wieder gezeigt.',
  set: 'Eingerichtet für Port {port}, am {date}.',
  remove: 'Port und Passwort entfernen',
}
