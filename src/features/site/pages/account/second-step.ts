// The pages that ask for the second factor: after the password at login, and before actions that can't be undone.
import { ApiError } from '../../../../platform/http/errors.ts'
import { html } from '../../components/html.ts'
import { notice } from '../../components/parts.ts'
import { answerForms, answerOf, type Method } from '../../components/second-factor.ts'
import type { Schemas } from '../../components/types.ts'
import { page, TemporaryRedirect } from '../../page.ts'
import { safeNext } from './login.ts'

const TEXTS = ['secondFactor', 'forms'] as const

const isUnauthenticated = (error: unknown) => error instanceof ApiError && error.code === 'unauthenticated'

export const secondStepPage = page({
  texts: TEXTS,
  path: '/login/second-step',
  query: ['next'],
  script: 'passkey.ts',
  embedded: () => ({}),
  async data({ api, query, locale, refused }) {
    const next = safeNext(query.next)
    try {
      const { methods } = await api.get('/auth/second-step')
      return { methods, next, refused }
    } catch (error) {
      // No login waits for a second factor, or it has expired.
      if (isUnauthenticated(error)) throw new TemporaryRedirect(locale.href('/login', { next }))
      throw error
    }
  },
  head: ({ t }) => ({ title: t.secondFactor.stepTitle, noindex: true }),
  view(locale, { methods, next, refused }) {
    const { secondFactor: t } = locale.t
    return html`
      <section class="card narrow stack">
        <h1>${t.stepTitle}</h1>
        <p>${t.stepText}</p>
        ${answerForms(locale, { methods, use: 'login', refused })}
        <p><a href=${locale.href('/login', { next })}>${t.startAgain}</a></p>
      </section>
    `
  },
  async post({ api, form, query, locale }) {
    const next = safeNext(query.next)
    try {
      await api.post('/auth/second-step', { body: answerOf(form) })
    } catch (error) {
      if (isUnauthenticated(error)) return locale.href('/login', { next })
      throw error
    }
    return next ?? locale.href('/account')
  },
})

export const confirmPage = page({
  texts: TEXTS,
  path: '/account/confirm',
  access: 'session',
  query: ['next'],
  script: 'passkey.ts',
  embedded: () => ({}),
  data: async ({ api, query, refused }) => ({
    refused,
    next: safeNext(query.next),
    methods: methodsOf(await api.get('/user/second-factor')),
  }),
  head: ({ t }) => ({ title: t.secondFactor.confirmTitle, noindex: true }),
  view(locale, { methods, next, refused }) {
    const { secondFactor: t } = locale.t
    return html`
      <section class="card narrow stack">
        <h1>${t.confirmTitle}</h1>
        <p>${t.confirmText}</p>
        ${methods.length === 0 ? notice('good', t.nothingToConfirm) : answerForms(locale, { methods, use: 'confirm', refused })}
        ${next && html`<p><a href=${next}>${t.goBack}</a></p>`}
      </section>
    `
  },
  async post({ api, form, query, locale }) {
    await api.post('/user/second-factor/confirm', { body: answerOf(form) })
    return safeNext(query.next) ?? locale.href('/account/second-factor', { saved: 'confirmed' })
  },
})

function methodsOf({ passkeys, hasCodes, recoveryCodesLeft }: Schemas['SecondFactor']): Method[] {
  const has = {
    passkey: passkeys.some(({ isDisabled }) => !isDisabled),
    code: hasCodes,
    recoveryCode: recoveryCodesLeft > 0,
  }
  return (Object.keys(has) as Method[]).filter((method) => has[method])
}
