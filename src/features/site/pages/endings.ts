// The pages that end reminders to vote or an alert, which messages link to. The script ends them at once;
// without it, a button.
import { html } from '../components/html.ts'
import { page } from '../page.ts'
import type { Texts } from '../texts/index.ts'

interface Ending {
  path: '/reminders/{id}' | '/alerts/{id}'
  operation: '/vote-reminders/off' | '/alerts/off'
  of: keyof Texts['endings']
}

const endingPage = ({ path, operation, of }: Ending) =>
  page({
    path,
    texts: ['endings'],
    query: ['done'],
    script: 'ending.ts',
    data: ({ query }) => ({ isDone: query.done === 'off' }),
    head: ({ t }, { isDone }) => ({ title: isDone ? t.endings[of].ended : t.endings[of].question, noindex: true }),
    view({ t }, { isDone }) {
      const { question, ended, end } = t.endings[of]
      return html`
        <div class="stack narrow">
          <h1>${isDone ? ended : question}</h1>
          ${!isDone && html`<form method="post" data-end><button type="submit">${end}</button></form>`}
        </div>
      `
    },
    async post({ api, params: { id }, locale }) {
      await api.post(operation, { query: { id } })
      return locale.href(path.replace('{id}', encodeURIComponent(id)), { done: 'off' })
    },
  })

export const reminderPage = endingPage({ path: '/reminders/{id}', operation: '/vote-reminders/off', of: 'reminders' })
export const alertPage = endingPage({ path: '/alerts/{id}', operation: '/alerts/off', of: 'alert' })
