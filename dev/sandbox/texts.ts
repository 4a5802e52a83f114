// The texts of the pages that buyers see, in the languages of the site.
const en = {
  sandbox: 'Payment sandbox. No money moves: all payments here are simulated.',
  back: 'Back to {site}',
  goBack: 'Back',
  pay: 'Pay',
  fail: 'Fail: the card is declined',
  cancel: 'Cancel',
  aMonth: 'a month',
  declined: 'Your card was declined. Nothing was paid; try again.',
  isPaid: 'This is paid',
  hasExpired: 'This page has expired',
  portal: 'Your subscription',
  none: 'None yet.',
  aSubscription: 'A subscription',
  ended: 'ended',
  states: { active: 'active', past_due: 'payment overdue', canceled: 'ended' },
  renews: 'renews on {date}',
  ends: 'ends on {date}',
  change: 'Change to {name}: {amount}',
  keep: 'Keep it',
  cancelLater: 'Cancel with the period',
}
type Texts = typeof en

const de: Texts = {
  sandbox: 'Zahlungs-Sandbox. Es fließt kein Geld: Alle Zahlungen hier sind simuliert.',
  back: 'Zurück zu {site}',
  goBack: 'Zurück',
  pay: 'Zahlen',
  fail: 'Fehlschlag: Die Karte wird abgelehnt',
  cancel: 'Abbrechen',
  aMonth: 'im Monat',
  declined: 'Deine Karte wurde abgelehnt. Es wurde nichts bezahlt; versuche es noch einmal.',
  isPaid: 'Das ist bezahlt',
  hasExpired: 'Diese Seite ist abgelaufen',
  portal: 'Dein Abonnement',
  none: 'Noch keines.',
  aSubscription: 'Ein Abonnement',
  ended: 'beendet',
  states: { active: 'aktiv', past_due: 'Zahlung überfällig', canceled: 'beendet' },
  renews: 'verlängert sich am {date}',
  ends: 'endet am {date}',
  change: 'Zu {name} wechseln: {amount}',
  keep: 'Behalten',
  cancelLater: 'Zum Ende des Zeitraums kündigen',
}

const TEXTS = { en, de }
export type Language = keyof typeof TEXTS

export const textsOf = (language: Language): Texts => TEXTS[language]

/** @param wanted a language, or the header `Accept-Language`; the first of its languages counts */
export const languageOf = (wanted: string | null | undefined): Language => (/^de\b/i.test(wanted ?? '') ? 'de' : 'en')

export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
