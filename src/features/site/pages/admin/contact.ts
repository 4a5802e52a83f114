// Messages of the contact form.
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { ago, tag } from '../../components/parts.ts'
import { cards, flagFilter, listPage } from './list.ts'
import { backToList } from './page.ts'

export const contactMessagesPage = listPage({
  area: 'contact',
  query: ['suspect'],
  data: ({ api }, query) => api.get('/admin/contact', { query }),
  view(locale, { query, messages, now }) {
    const { admin: t } = locale.t
    return {
      filters: flagFilter(locale, query, 'suspect', t.contact.suspect),
      items: cards(
        messages.map(
          ({ id, name, email, subject, message, isSuspect, createdAt }) => html`
            <li class="card stack" key=${id}>
              <div class="row"><h2 dir="auto">${subject || t.contact.noSubject}</h2>${isSuspect && tag('warn', t.contact.suspect)}</div>
              <p class="quiet">
                <span dir="auto">${name}</span>, <a href=${`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`}>${email}</a>,
                ${' '}${ago(locale, createdAt, now)}
              </p>
              <p class="prose" dir="auto">${message}</p>
              ${confirmButton({ fields: { action: 'delete', id }, label: t.common.delete, warning: t.contact.deleteMessage, confirm: t.common.confirmDelete })}
            </li>
          `,
        ),
      ),
    }
  },
  async post(input) {
    await input.api.delete('/admin/contact/{id}', { path: { id: input.form.id ?? '' } })
    return backToList(input, 'contact', 'deleted')
  },
})
