// Reports, and findings of suspicious votes.
import type { findings as Findings, reports as Reports } from '../../en/admin/reports.ts'

export const reports: typeof Reports = {
  statuses: { open: 'offen', resolved: 'erledigt', dismissed: 'abgelehnt', all: 'alle' },
  reason: 'Grund',
  reasons: {
    offline: 'offline',
    spam: 'Spam',
    abuse: 'Missbrauch',
    misleading: 'irreführend',
    other: 'anderes',
    votes: 'Stimmen',
  },
  by: 'von {name}',
  unnamedAccount: 'einem Konto, das gelöscht ist oder dir nicht genannt wird',
  moderate: 'Server moderieren',
  note: 'Notiz für Moderatoren und Administratoren',
  resolve: 'Erledigen',
  dismiss: 'Ablehnen',
  reopen: 'Wieder öffnen',
  deleteReport: 'Die Meldung wird endgültig gelöscht.',
}

export const findings: typeof Findings = {
  allServers: 'Alle Server',
  by: 'von der täglichen Suche nach verdächtigen Stimmen gefunden',
  signals: {
    fewNetworks: 'wenige Netze',
    hosting: 'Hosting-Netze',
    burst: 'Ansturm',
    seenOnce: 'nur einmal gesehen',
    withoutPage: 'ohne Seite',
  },
  texts: {
    fewNetworks: {
      one: 'Ein Netz schickte in sieben Tagen {selected} von {votes} Stimmen.',
      other: '{n} Netze schickten in sieben Tagen {selected} von {votes} Stimmen.',
    },
    hosting: '{selected} von {votes} Stimmen in sieben Tagen kamen aus Netzen von Hosting-Anbietern.',
    burst: '{votes} Stimmen in 24 Stunden; der stärkste der 28 Tage davor hatte {busiest}.',
    seenOnce:
      '{selected} von {votes} Stimmen kamen von Besuchern, die nur einmal abgestimmt haben, für welchen Server auch immer.',
    withoutPage: '{selected} von {votes} Stimmen in sieben Tagen kamen nicht von einer Seite der Website.',
  },
  others: 'Unter den Stimmen für andere Server sind es {share}.',
  before: 'In den vier Wochen davor waren es {share}.',
  fine: 'Das ist in Ordnung',
  look: 'Die Stimmen ansehen',
  void: 'Die Stimmen annullieren',
}
