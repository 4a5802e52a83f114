// Servers, their owners and pictures.
import type { faces as Faces, servers as Servers } from '../../en/admin/servers.ts'

export const servers: typeof Servers = {
  owner: 'Besitzer',
  noOwner: 'ohne Besitzer',
  ownerId: 'Konto-Id des Besitzers; leer: keiner',
  setOwner: 'Besitzer ändern',
  hide: 'Verbergen',
  hideSelected: 'Auswahl verbergen',
  restoreSelected: 'Auswahl wieder zeigen',
  select: '{name} auswählen',
  selectAll: 'Alle auf dieser Seite auswählen',
  selected: { one: '{n} Server ausgewählt', other: '{n} Server ausgewählt' },
  game: 'Spiel',
  address: 'Adresse',
  state: 'Zustand',
  players: 'Spieler',
  polled: 'Abgefragt',
  notPolled: 'noch nicht abgefragt',
  hideReason: 'Grund, für das Protokoll',
  restore: 'Wieder zeigen',
  verify: 'Verifizieren',
  unverify: 'Verifizierung entziehen',
  feature: 'Hervorheben',
  unfeature: 'Nicht hervorheben',
  verified: 'verifiziert',
  hidden: 'verborgen',
  hiddenBy: { admin: 'von einem Administrator verborgen', moderator: 'von einem Moderator verborgen' },
  keepHidden: 'Verborgen lassen',
  featured: 'hervorgehoben',
  online: 'online',
  lastPolled: 'Abgefragt {time}',
  failures: { one: '{n} Abfrage hintereinander fehlgeschlagen', other: '{n} Abfragen hintereinander fehlgeschlagen' },
  removeServer: 'Aus dem Verzeichnis entfernen',
  removeServerWarning:
    'Der Server, sein Verlauf und seine Stimmen werden nicht mehr gezeigt, und er wird nicht mehr abgefragt. Um ihn eine Zeit lang zu verbergen, benutze Verbergen.',
  confirmRemoveServer: 'Ja, diesen Server entfernen',
}

export const faces: typeof Faces = {
  lock: {
    logo: 'Logo entfernen und sperren',
    banner: 'Banner entfernen und sperren',
    icon: 'Icon des Spielservers entfernen und sperren',
  },
  lockedByAdmin: {
    logo: 'Ein Administrator hat das Logo gesperrt.',
    banner: 'Ein Administrator hat das Banner gesperrt.',
    icon: 'Ein Administrator hat das Icon des Spielservers gesperrt.',
  },
  unlock: {
    logo: 'Logo wieder zulassen',
    banner: 'Banner wieder zulassen',
    icon: 'Icon des Spielservers wieder zeigen',
  },
  reason: 'Grund, für den Besitzer',
}
