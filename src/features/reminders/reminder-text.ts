// What a reminder says, in the language of its request.
import type { SentReminder } from './reminders.sql.ts'

const TEXTS = {
  en: {
    title: (server: string) => `You can vote for ${server} again`,
    streak: (days: number, hours: number) =>
      `Vote ${hours > 1 ? `within ${hours} hours` : 'now'} to keep your streak of ${days} days.`,
    again: 'A new vote is possible now.',
    open: 'Vote',
    off: 'No more reminders',
  },
  de: {
    title: (server: string) => `Du kannst wieder für ${server} stimmen`,
    streak: (days: number, hours: number) =>
      `Stimme ${hours > 1 ? `innerhalb von ${hours} Stunden` : 'jetzt'} ab, um deine Serie von ${days} Tagen zu behalten.`,
    again: 'Du kannst wieder abstimmen.',
    open: 'Abstimmen',
    off: 'Keine Erinnerungen mehr',
  },
}

export function reminderText({
  serverName,
  language,
  streak,
  hoursLeft,
}: Pick<SentReminder, 'serverName' | 'language' | 'streak' | 'hoursLeft'>) {
  const texts = language === 'de' ? TEXTS.de : TEXTS.en
  const { open, off } = texts
  return { title: texts.title(serverName), body: streak > 1 ? texts.streak(streak, hoursLeft) : texts.again, open, off }
}
