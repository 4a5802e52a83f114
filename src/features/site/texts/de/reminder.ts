// German: the page that ends reminders to vote.
import type { reminder as Original } from '../en/reminder.ts'

export const reminder: typeof Original = {
  question: 'Diese Erinnerungen beenden?',
  ended: 'Du bekommst keine Erinnerungen an diesen Server mehr.',
  end: 'Keine Erinnerungen mehr',
}
