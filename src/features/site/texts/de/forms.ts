// German: parts of forms.
import type { forms as Original } from '../en/forms.ts'

export const forms: typeof Original = {
  check: 'Bitte die markierten Felder prüfen.',
  saved: 'Gespeichert.',
  save: 'Speichern',
  codes: {
    unauthenticated:
      'Du bist nicht angemeldet. Melde dich in einem anderen Tab an und schicke dieses Formular noch einmal ab: Deine Eingaben bleiben stehen.',
    invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    email_taken: 'Mit dieser Adresse gibt es schon ein Konto. Melde dich an oder setze das Passwort zurück.',
    weak_password: 'Dieses Passwort ist zu leicht zu erraten.',
    last_login_method: 'Es ist der letzte Weg, sich bei diesem Konto anzumelden.',
    email_needed: 'Das Konto hat keine E-Mail-Adresse, mit der man sich anmelden kann.',
    already_listed:
      'Ein Server mit dieser Adresse und diesem Abfrage-Port ist schon eingetragen. Ist es deiner, beanspruche ihn.',
    too_many_listings: 'Dein Konto hat so viele Server, wie es haben darf.',
    already_verified: 'Du hast schon nachgewiesen, dass dieser Server dir gehört.',
    already_subscribed: 'Dieses Abonnement hast du schon.',
    billing_unavailable: 'Zahlungen sind hier abgeschaltet: Zurzeit lässt sich nichts kaufen oder ändern.',
  },
}
