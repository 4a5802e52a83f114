// German: where the payment provider's pages lead back to.
import type { payment as Original } from '../en/payment.ts'

export const payment: typeof Original = {
  title: 'Zahlung',
  states: {
    open: {
      title: 'Deine Zahlung wird bearbeitet',
      text: 'Der Zahlungsanbieter hat noch keine Zahlung bestätigt. Das dauert meist Sekunden, und diese Seite zeigt es dann. Zahle nicht ein zweites Mal.',
    },
    processing: {
      title: 'Deine Zahlung ist unterwegs',
      text: 'Du hast auf eine Art gezahlt, die Tage dauert, etwa per Lastschrift. Was du bezahlt hast, beginnt spätestens, wenn die Zahlung ankommt. Zahle nicht ein zweites Mal.',
    },
    paid: { title: 'Danke', text: 'Die Zahlung ist angekommen. Was du bezahlt hast, beginnt gleich.' },
    expired: {
      title: 'Es wurde nichts bezahlt',
      text: 'Die Zahlungsseite ist abgelaufen, bevor etwas bezahlt wurde. Du kannst noch einmal bestellen.',
    },
    refunded: { title: 'Erstattet', text: 'Die Zahlung wurde erstattet.' },
    disputed: { title: 'Angefochten', text: 'Die Zahlung ist angefochten. Was damit bezahlt wurde, ist beendet.' },
    canceled: {
      title: 'Du hast die Zahlungsseite verlassen',
      text: 'Es wurde nichts bezahlt. Mit einer neuen Bestellung kommst du zu ihr zurück.',
    },
    changed: { title: 'Dein Abonnement', text: 'Was du geändert hast, gilt gleich.' },
    unknown: {
      title: 'Deine Zahlung',
      text: 'Du bist von der Zahlungsseite zurück. Wenn du gezahlt hast, beginnt das Bezahlte gleich.',
    },
  },
  tier: 'Deine Stufe: {tier}',
  renews: 'Verlängert sich am {date}',
  ends: 'Endet am {date}',
  back: 'Zurück zu deinem Abonnement',
  toSite: 'Zur Serverliste',
}
