// Messages of the contact form.
import { careful } from '../forms.ts'
import { html } from '../html.ts'
import { ago, tag } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type AdminLocale, flagFilter } from './frame.ts'
import { cards, type List, list } from './list.ts'

export interface ContactData extends List {
  messages: Schemas['ContactMessage'][]
}

export function contactView(locale: AdminLocale, data: ContactData) {
  const { admin: t } = locale.t
  return list(locale, 'contact', data, {
    filters: flagFilter(locale, data.query, 'suspect', t.suspect),
    items: cards(
      data.messages.map(
        ({ id, name, email, subject, message, isSuspect, createdAt }) => html`
          <li class="card stack" key=${id}>
            <div class="row"><h2 dir="auto">${subject || t.noSubject}</h2>${isSuspect && tag('warn', t.suspect)}</div>
            <p class="quiet">
              <span dir="auto">${name}</span>, <a href=${`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`}>${email}</a>,
              ${' '}${ago(locale, createdAt, data.now)}
            </p>
            <p class="prose" dir="auto">${message}</p>
            ${careful({ fields: { action: 'delete', id }, label: t.delete, warning: t.deleteMessage, confirm: t.confirmDelete })}
          </li>
        `,
      ),
    ),
  })
}
