// German: error codes that only forms of accounts, owners and administrators get.
import type { accountCodes as Original } from '../en/account-codes.ts'

export const accountCodes: typeof Original = {
  invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  email_taken: 'Mit dieser Adresse gibt es schon ein Konto. Melde dich an oder setze das Passwort zurück.',
  last_login_method: 'Es ist der letzte Weg, sich bei diesem Konto anzumelden.',
  email_needed: 'Das Konto hat keine E-Mail-Adresse, mit der man sich anmelden kann.',
  already_listed:
    'Ein Server mit dieser Adresse und diesem Abfrage-Port ist schon eingetragen. Ist es deiner, beanspruche ihn auf seiner Seite; ein verborgener hat keine.',
  too_many_alerts: 'Es gibt schon so viele Alarme wie möglich: von dir oder für diesen Server.',
  too_many_listings: 'Dein Konto hat so viele Server, wie es haben darf.',
  already_member: 'Dieses Konto ist schon Mitglied.',
  team_full: 'Das Team hat so viele Mitglieder und offene Einladungen, wie es haben darf.',
  already_verified: 'Du hast schon nachgewiesen, dass dieser Server dir gehört.',
  already_subscribed: 'Dieses Abonnement hast du schon.',
  no_pending_claim: 'Es gibt nichts zu prüfen. Hole zuerst einen Prüfcode.',
  no_subscription: 'Du hast kein Abonnement.',
  claim_stopped:
    'Der Besitzer dieses Servers hat deinen Anspruch gestoppt. 30 Tage danach kannst du ihn wieder beanspruchen.',
  rcon_not_verified: 'Beweise zuerst, dass der Server dir gehört: auf der Seite „Überblick“.',
  rcon_not_configured: 'Der Zugang fehlt noch. Speichere zuerst Port und Passwort.',
  billing_unavailable: 'Zahlungen sind hier abgeschaltet: Zurzeit lässt sich nichts kaufen oder ändern.',
}
