// The pages that end reminders to vote and alerts.
export const endings = {
  reminders: {
    question: 'End these reminders?',
    ended: 'You get no more reminders for this server.',
    end: 'No more reminders',
  },
  alert: { question: 'End this alert?', ended: 'This alert has ended.', end: 'End this alert' },
}
