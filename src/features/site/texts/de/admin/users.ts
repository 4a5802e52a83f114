// Accounts.
import type { users as Original } from '../../en/admin/users.ts'

export const users: typeof Original = {
  unverifiedEmail: 'Adresse nicht bestätigt',
  isAdmin: 'Administrator',
  isModerator: 'Moderator',
  makeModerator: 'Zum Moderator machen',
  makeModeratorWarning:
    'Moderatoren entscheiden Meldungen, lesen Nachrichten aus dem Kontaktformular, verbergen Server und Bilder und sehen, woher Stimmen kommen. Konten, Geld, Warteschlangen und Einstellungen sehen sie nicht.',
  confirmModerator: 'Ja, dieses Konto zum Moderator machen',
  dismissModerator: 'Moderationsrechte entziehen',
  isBanned: 'gesperrt seit {time}',
  setTier: 'Stufe ändern',
  ban: 'Sperren',
  banWarning: 'Eine Sperre beendet alle Sitzungen, weist API-Schlüssel ab und macht Gebote ungültig.',
  confirmBan: 'Ja, dieses Konto sperren',
  unban: 'Sperre aufheben',
  makeAdmin: 'Zum Administrator machen',
  makeAdminWarning: 'Administratoren können hier alles lesen und ändern.',
  confirmAdmin: 'Ja, dieses Konto zum Administrator machen',
  demote: 'Verwaltungsrechte entziehen',
  deleteUser: 'Konto löschen',
  deleteUserWarning:
    'Seine Server bleiben ohne Besitzer und unverifiziert eingetragen. Das kann nicht rückgängig gemacht werden.',
  sessions: { one: '{n} Sitzung', other: '{n} Sitzungen' },
  keys: { one: '{n} API-Schlüssel', other: '{n} API-Schlüssel' },
  since: 'seit {time}',
  actionsBy: 'Aktionen dieses Kontos',
  actionsOn: 'Aktionen an diesem Konto',
}
