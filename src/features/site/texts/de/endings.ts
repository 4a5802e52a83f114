// German: the pages that end reminders to vote and alerts.
import type { endings as Original } from '../en/endings.ts'

export const endings: typeof Original = {
  reminders: {
    question: 'Diese Erinnerungen beenden?',
    ended: 'Du bekommst keine Erinnerungen an diesen Server mehr.',
    end: 'Keine Erinnerungen mehr',
  },
  alert: { question: 'Diesen Alarm beenden?', ended: 'Dieser Alarm ist beendet.', end: 'Alarm beenden' },
}
