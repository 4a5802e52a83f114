// German: the pages that end reminders to vote and alerts.
import type { reminder as Original } from '../en/reminder.ts'

export const reminder: typeof Original = {
  question: 'Diese Erinnerungen beenden?',
  ended: 'Du bekommst keine Erinnerungen an diesen Server mehr.',
  end: 'Keine Erinnerungen mehr',
  alert: { question: 'Diesen Alarm beenden?', ended: 'Dieser Alarm ist beendet.', end: 'Alarm beenden' },
}
