// German: the vote form, and reminders to vote.
import type { vote as Original } from '../en/vote.ts'

export const vote: typeof Original = {
  vote: 'Abstimmen',
  voteFor: 'Für diesen Server stimmen',
  voteHint:
    'Eine Stimme in 24 Stunden. Name und Kennung sind freiwillig: Der Server braucht vielleicht eines davon, um dich zu belohnen.',
  needsScripts:
    'Abstimmen geht hier nur mit Skripten: Dein Browser löst zuerst eine kleine Aufgabe, die Bots fernhält. Schalte Skripte ein, um abzustimmen.',
  proving: 'Dein Browser löst eine kleine Aufgabe, die Bots fernhält …',
  username: 'Spielername',
  platformId: 'Plattform-Kennung (Steam, UUID …)',
  thanks: 'Danke für deine Stimme.',
  wasSent: 'Sie wurde dem Server gemeldet.',
  streak: '{n} Tage in Folge!',
  cooldown: 'Du kannst {when} wieder für diesen Server abstimmen.',
  again: 'Wieder in {time}',
  delivered: 'Der Server hat sie erhalten.',
  rewarded: 'Du hast deine Belohnung bekommen.',
  rewardWaits: 'Deine Belohnung ist unterwegs …',
  placeRose: 'Der Server ist von Platz {before} auf {after} gestiegen.',
  remind: { push: 'Hier erinnern', email: 'Per Mail erinnern' },
  reminded: 'Du wirst erinnert, sobald du wieder abstimmen kannst.',
  remindNot: 'Nicht erinnern',
  remindForbidden: 'Dein Browser blockiert Benachrichtigungen dieser Seite.',
}
