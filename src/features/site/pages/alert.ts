// The page that the link of a mail or chat message leads to: it ends an alert, by its script at once, else by its button.
import { endingView } from '../components/reminder.ts'
import { page } from '../page.ts'

export const alertPage = page({
  path: '/alerts/{id}',
  texts: ['reminder'],
  query: ['done'],
  script: 'reminder.ts',
  data: ({ query }) => ({ isDone: query.done === 'off' }),
  head: ({ t }, { isDone }) => ({ title: isDone ? t.reminder.alert.ended : t.reminder.alert.question, noindex: true }),
  view: ({ t }, { isDone }) => endingView(t.reminder.alert, isDone),
  async post({ api, params, locale }) {
    await api.post('/alerts/off', { query: { id: params.id } })
    return locale.href(`/alerts/${encodeURIComponent(params.id)}`, { done: 'off' })
  },
})
