// The page that a mail's link leads to: it ends reminders to vote, by its script at once, else by its button.
import { endingView } from '../components/reminder.ts'
import { page } from '../page.ts'

export const reminderPage = page({
  path: '/reminders/{id}',
  texts: ['reminder'],
  query: ['done'],
  script: 'reminder.ts',
  data: ({ query }) => ({ isDone: query.done === 'off' }),
  head: ({ t }, { isDone }) => ({ title: isDone ? t.reminder.ended : t.reminder.question, noindex: true }),
  view: ({ t }, { isDone }) => endingView(t.reminder, isDone),
  async post({ api, params, locale }) {
    await api.post('/vote-reminders/off', { query: { id: params.id } })
    return locale.href(`/reminders/${encodeURIComponent(params.id)}`, { done: 'off' })
  },
})
