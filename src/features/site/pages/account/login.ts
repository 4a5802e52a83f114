// Logging in and out, and registering.
import { ApiError } from '../../../../platform/http/errors.ts'
import { MAX_SITE_PATH, SITE_PATH } from '../../../../platform/http/site-path.ts'
import { buttonForm, field, form, refusal } from '../../components/fields.ts'
import { html } from '../../components/html.ts'
import { notice } from '../../components/parts.ts'
import { page } from '../../page.ts'
import { ACCOUNT } from './page.ts'

/** The path that a login leads to; undefined if the text is no path of this site. */
export const safeNext = (next: string | undefined): string | undefined =>
  next !== undefined && next.length <= MAX_SITE_PATH && SITE_PATH.test(next) ? next : undefined

/** @param next the path that the login leads to */
export const providerPath = (provider: 'gameplatform' | 'chat', next: string): string =>
  `/api/auth/${provider}?${new URLSearchParams({ next })}`

const EMAIL = { type: 'email', autocomplete: 'email', required: true, maxlength: 254 }

export const loginPage = page({
  ...ACCOUNT,
  path: '/login',
  query: ['next', 'saved'],
  async data({ api, query, refused }) {
    const methods = await api.get('/auth/methods')
    return { refused, next: safeNext(query.next), saved: query.saved, methods }
  },
  head: (locale) => ({ title: locale.t.account.login.title }),
  view(locale, { refused, methods, next, saved }) {
    const { login } = locale.t.account
    const providers = (['gameplatform', 'chat'] as const).filter((provider) => methods[provider])
    return html`
      <section class="card narrow stack">
        <h1>${login.title}</h1>
        ${notice('good', saved === 'delete' && login.deleted)} ${refusal(locale, refused)}
        ${form(login.submit)`
          ${field({ name: 'email', label: login.email, refused, ...EMAIL, autofocus: true })}
          ${field({ name: 'password', label: login.password, refused, type: 'password', autocomplete: 'current-password', required: true, maxlength: 128 })}
        `}
        <p><a href="/password">${login.forgotten}</a></p>
        ${
          providers.length > 0 &&
          html`<div class="row"><span class="quiet">${login.or}</span>${providers.map((provider) => html`<a class="button quiet-button" href=${providerPath(provider, next ?? locale.href('/account'))}>${login[provider]}</a>`)}</div>`
        }
        <p>${login.none} <a href=${locale.href('/register', { next })}>${login.register}</a></p>
      </section>
    `
  },
  async post({ api, form, query, locale }) {
    const next = safeNext(query.next)
    try {
      await api.post('/auth/login', { body: { email: form.email ?? '', password: form.password ?? '' } })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'second_factor_needed')
        return locale.href('/login/second-step', { next })
      throw error
    }
    return next ?? locale.href('/account')
  },
})

export const registerPage = page({
  ...ACCOUNT,
  path: '/register',
  query: ['next'],
  data: ({ query, refused }) => ({ refused, next: safeNext(query.next) }),
  head: (locale) => ({ title: locale.t.account.register.title }),
  view(locale, { refused, next }) {
    const { login, register } = locale.t.account
    return html`
      <section class="card narrow stack">
        <h1>${register.title}</h1>
        <p class="quiet">${register.lead}</p>
        ${refusal(locale, refused)}
        ${form(register.submit)`
          ${field({ name: 'username', label: register.username, hint: register.usernameHint, refused, autocomplete: 'nickname', required: true, minlength: 2, maxlength: 50 })}
          ${field({ name: 'email', label: login.email, hint: register.emailHint, refused, ...EMAIL })}
          ${field({ name: 'password', label: login.password, hint: register.passwordHint, refused, type: 'password', autocomplete: 'new-password', required: true, minlength: 8, maxlength: 128 })}
        `}
        <p>${register.have} <a href=${locale.href('/login', { next })}>${login.submit}</a></p>
      </section>
    `
  },
  async post({ api, form, query, locale }) {
    const { email = '', password = '', username = '' } = form
    await api.post('/auth/register', { body: { email, password, username } })
    return safeNext(query.next) ?? locale.href('/my/servers')
  },
})

export const logoutPage = page({
  ...ACCOUNT,
  path: '/logout',
  data: () => ({}),
  head: (locale) => ({ title: locale.t.account.logout.title, noindex: true }),
  view(locale) {
    const { logout } = locale.t.account
    return html`
      <section class="card narrow stack">
        <h1>${logout.title}</h1>
        <p>${logout.text}</p>
        ${buttonForm({ fields: {}, label: logout.submit, look: '' })}
      </section>
    `
  },
  async post({ api, locale }) {
    await api.post('/auth/logout')
    return locale.href('/')
  },
})
