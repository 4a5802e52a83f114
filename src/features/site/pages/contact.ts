// The contact form, which works for people without an account too.
import { area, field, form, refusal } from '../components/fields.ts'
import { html } from '../components/html.ts'
import { notice } from '../components/parts.ts'
import { page } from '../page.ts'

export const contactPage = page({
  path: '/contact',
  texts: ['contact', 'forms'],
  query: ['subject', 'done'],
  async data({ api, user, query, refused }) {
    const profile = user && (await api.get('/user/profile'))
    return { profile, refused, subject: query.subject, isSent: query.done === 'sent' }
  },
  head: ({ t }) => ({ title: t.contact.title, description: t.contact.lead, canonical: '/contact' }),
  view(locale, { profile, refused, subject, isSent }) {
    const { contact } = locale.t
    return html`
      <section class="card narrow stack">
        <h1>${contact.title}</h1>
        ${notice('good', isSent && contact.sent)}
        <p class="quiet">${contact.lead}</p>
        ${refusal(locale, refused)}
        ${form(contact.send)`
          ${field({ name: 'name', label: contact.name, value: profile?.username, refused, autocomplete: 'name', required: true, maxlength: 100 })}
          ${field({ name: 'email', label: contact.email, hint: contact.emailHint, value: profile?.email, refused, type: 'email', autocomplete: 'email', required: true, maxlength: 254 })}
          ${field({ name: 'subject', label: contact.subject, value: subject, refused, maxlength: 150 })}
          ${area({ name: 'message', label: contact.message, refused, required: true, maxlength: 5000, rows: 8 })}
          ${trapForBots(contact.leaveEmpty)}
        `}
      </section>
    `
  },
  async post({ api, form, locale }) {
    const { name = '', email = '', subject = '', message = '', website = '' } = form
    await api.post('/contact', { body: { name, email, subject, message, website } })
    return locale.href('/contact', { done: 'sent' })
  },
})

/**
 * A field that people neither see nor reach by keyboard. A message with it filled in is stored as
 * suspect and not mailed.
 */
const trapForBots = (label: string) => html`
  <p class="visually-hidden" aria-hidden="true"><label>${label} <input name="website" tabindex="-1" autocomplete="off" /></label></p>
`
