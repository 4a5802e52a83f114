// Logging in and out, and registering.
import { buttonForm, field, form } from '../fields.ts'
import { html } from '../html.ts'
import { notice } from '../parts.ts'
import { refusal } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import type { AccountLocale, Form } from './frame.ts'

export interface LoginData extends Form {
  methods: Schemas['LoginMethods']
  /** Query to keep between logging in and registering. */
  next: string | undefined
  /** The form that led here. */
  saved: string | undefined
}

const EMAIL = { type: 'email', autocomplete: 'email', required: true, maxlength: 254 }

export function loginView(locale: AccountLocale, { refused, methods, next, saved }: LoginData) {
  const { login } = locale.t.account
  const providers = (['gameplatform', 'chat'] as const).filter((provider) => methods[provider])
  return html`
    <section class="card narrow stack">
      <h1>${login.title}</h1>
      ${notice('good', saved === 'delete' && login.deleted)} ${refusal(locale, refused)}
      ${form(login.submit, {})`
        ${field({ name: 'email', label: login.email, refused, ...EMAIL, autofocus: true })}
        ${field({ name: 'password', label: login.password, refused, type: 'password', autocomplete: 'current-password', required: true, maxlength: 128 })}
      `}
      <p><a href="/password">${login.forgotten}</a></p>
      ${
        providers.length > 0 &&
        html`<div class="row"><span class="quiet">${login.or}</span>${providers.map((provider) => html`<a class="button quiet-button" href=${`/api/auth/${provider}`}>${login[provider]}</a>`)}</div>`
      }
      <p>${login.none} <a href=${locale.href('/register', { next })}>${login.register}</a></p>
    </section>
  `
}

export function registerView(locale: AccountLocale, { refused, next }: Form & { next: string | undefined }) {
  const { login, register } = locale.t.account
  return html`
    <section class="card narrow stack">
      <h1>${register.title}</h1>
      <p class="quiet">${register.lead}</p>
      ${refusal(locale, refused)}
      ${form(register.submit, {})`
        ${field({ name: 'username', label: register.username, hint: register.usernameHint, refused, autocomplete: 'nickname', required: true, minlength: 2, maxlength: 50 })}
        ${field({ name: 'email', label: login.email, hint: register.emailHint, refused, ...EMAIL })}
        ${field({ name: 'password', label: login.password, hint: register.passwordHint, refused, type: 'password', autocomplete: 'new-password', required: true, minlength: 8, maxlength: 128 })}
      `}
      <p>${register.have} <a href=${locale.href('/login', { next })}>${login.submit}</a></p>
    </section>
  `
}

export function logoutView(locale: AccountLocale) {
  const { logout } = locale.t.account
  return html`
    <section class="card narrow stack">
      <h1>${logout.title}</h1>
      <p>${logout.text}</p>
      ${buttonForm({ fields: {}, label: logout.submit, look: '' })}
    </section>
  `
}
