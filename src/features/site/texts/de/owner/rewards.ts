// Rewards by RCON.
import type { rewards as Original } from '../../en/owner/rewards.ts'

export const rewards: typeof Original = {
  title: 'Belohnungen über RCON',
  lead: 'Das Verzeichnis führt bei jeder Stimme deine Befehle auf dem Server aus, ohne Plugin. Dafür muss die Konsole eingerichtet sein.',
  setUp: 'Konsole einrichten',
  on: 'an',
  off: 'aus',
  stopped: 'Es wird nichts gesendet: Der Server hat das Passwort abgelehnt. Setze das Passwort neu.',
  when: 'Wann',
  whens: { vote: 'Sobald eine Stimme kommt', claim: 'Wenn die Stimme eingelöst wird' },
  commands: 'Befehle',
  commandsHint: 'Einer je Zeile, höchstens 5. {username}, {gamePlatformId}, {votes} und {streak} werden ersetzt.',
  remove: 'Abschalten',
  log: 'Was belohnt wurde',
  none: 'Noch wurde keine Stimme belohnt.',
  statuses: {
    waiting: 'wartet',
    running: 'läuft',
    ran: 'ausgeführt',
    ran_partly: 'teilweise ausgeführt',
    may_have_run: 'vielleicht ausgeführt',
    not_run: 'nicht ausgeführt',
  },
  answer: 'Antwort',
}
