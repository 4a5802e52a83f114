// German: the page that explains the order of servers.
import type { ranking as Original } from '../en/ranking.ts'

export const ranking: typeof Original = {
  title: 'So entsteht die Rangliste',
  description:
    'Wie Stimmen, Spieler und Verfügbarkeit die Reihenfolge der Server bestimmen. Du kannst sie selbst nachrechnen.',
  lead: 'Vorn stehen die Server, für die gerade abgestimmt und auf denen gerade gespielt wird. Du kannst alle Punkte selbst nachrechnen: Ihre Zahlen stehen auf der Seite jedes Servers.',
  votes: 'Stimmen verblassen',
  votesText:
    'Eine Stimme zählt am ersten Tag 1. Alle {days} Tage zählt sie nur noch halb so viel. So bleibt der Liebling vom letzten Jahr nur vorn, solange noch für ihn abgestimmt wird, und ein guter neuer Server wird in wenigen Wochen gesehen.',
  age: 'Alter einer Stimme',
  ageOf: { one: '{n} Tag', other: '{n} Tage' },
  counts: 'Zählt',
  playing: 'Spieler zählen ein wenig',
  playingText:
    'Jede Stunde bringt log₂(1 + Spieler) ÷ 48 Stimmen, mit den durchschnittlichen Spielern dieser Stunde, ohne Bots. Mehr als {most} Spieler bringen nicht mehr. Diese Stimmen verblassen wie die anderen. Sie ordnen Server, für die noch niemand gestimmt hat, und sind zu wenige, als dass sich erfundene Spieler lohnen.',
  players: 'Spieler den ganzen Tag',
  votesADay: 'Stimmen am Tag',
  uptime: 'Ein Server muss laufen',
  uptimeText:
    'Die Summe wird mit dem Anteil der Zeit multipliziert, in der der Server am letzten Tag erreichbar war, und mit dem der letzten Woche. Ein Server, der einen ganzen Tag weg war, zählt ein Hundertstel, bis er wieder da ist.',
  formula: 'Punkte = (Stimmen + Spieler) × Verfügbarkeit des Tages × Verfügbarkeit der Woche',
  rest: 'Das Übrige',
  restText:
    'Alle Punkte verblassen gleich schnell. Die Reihenfolge ändert sich also nur, wenn jemand abstimmt oder spielt oder ein Server ausfällt. Bei gleichen Punkten steht der Server vorn, der länger eingetragen ist. Werbung ändert die Punkte nicht.',
  api: 'Programme können die Zahlen eines Servers lesen.',
  apiLink: 'Zur API',
  list: 'Zur Rangliste',
  month: 'Die Besten des Monats',
}
