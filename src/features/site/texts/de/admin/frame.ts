// The tabs of the administration, and what a form has done.
import type { frame as Original } from '../../en/admin/frame.ts'

export const frame: typeof Original = {
  title: 'Verwaltung',
  areas: {
    overview: 'Überblick',
    reports: 'Meldungen',
    contact: 'Nachrichten',
    servers: 'Server',
    sources: 'Quellen',
    users: 'Konten',
    auctions: 'Auktionen',
    slots: 'Werbeplätze',
    votes: 'Herkunft der Stimmen',
    audit: 'Protokoll',
    appearance: 'Aussehen',
  },
  done: {
    hidden: { one: '{n} Server ist verborgen.', other: '{n} Server sind verborgen.' },
    restored: { one: '{n} Server wird wieder gezeigt.', other: '{n} Server werden wieder gezeigt.' },
    sourceRuns: 'Die Quelle läuft in wenigen Sekunden.',
    saved: 'Gespeichert.',
    voiding: 'Die Stimmen werden annulliert. Lade diese Seite gleich noch einmal.',
    restoring: 'Die Stimmen werden wiederhergestellt. Lade diese Seite gleich noch einmal.',
    deleted: 'Gelöscht.',
    created: 'Angelegt.',
    redriven: {
      one: '{n} Auftrag ist wieder in seiner Warteschlange.',
      other: '{n} Aufträge sind wieder in ihrer Warteschlange.',
    },
    retried: { one: '{n} Auftrag wird wiederholt.', other: '{n} Aufträge werden wiederholt.' },
    canceled: 'Abgebrochen.',
    voided: 'Das Gebot ist ungültig.',
  },
}
