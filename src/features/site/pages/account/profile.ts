// The profile: name, address, password, other ways to log in, sessions, and the deletion of the account.

import { validationFailed } from '../../../../platform/http/errors.ts'
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { buttonForm, field, form, refusal, refusedOf, secretRefused } from '../../components/fields.ts'
import { confirmButton, consent, savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import type { Locale } from '../../components/locale.ts'
import { card, notice } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { providerPath } from './login.ts'
import { accountPage } from './page.ts'
import { dataCard, sessionsCard } from './sessions.ts'

export const profilePage = accountPage({
  tab: 'profile',
  async data({ api }) {
    const [profile, methods, sessions, factor] = await Promise.all([
      api.get('/user/profile'),
      api.get('/auth/methods'),
      api.get('/user/sessions', { query: { limit: 100 } }),
      api.get('/user/second-factor'),
    ])
    return { profile, methods, sessions, factor }
  },
  view(locale, data) {
    const { account } = locale.t
    const { profile: texts } = account
    const { profile, methods } = data
    const ofProfile = refusedOf(data.refused, 'profile')
    const ofPassword = secretRefused(refusedOf(data.refused, 'password'), 'currentPassword', texts.wrongPassword)
    const ofDeletion = secretRefused(refusedOf(data.refused, 'delete'), 'password', texts.wrongPassword)
    return [
      card(texts.title)`
        <p class="quiet">${locale.say(texts.since, { date: locale.date(profile.createdAt) })} · <a href=${locale.href('/my/servers')}>${locale.say(texts.owns, { n: profile._count.ownedServers })}</a></p>
        ${savedNotice(locale, data.saved === 'profile')} ${refusal(locale, ofProfile)}
        ${form(locale.t.forms.save, { action: 'profile' })`
          ${field({ name: 'username', label: account.register.username, value: profile.username, refused: ofProfile, required: true, minlength: 2, maxlength: 50, autocomplete: 'nickname' })}
          ${field({ name: 'avatarUrl', label: texts.avatar, hint: texts.avatarHint, value: profile.avatarUrl, refused: ofProfile, type: 'url', maxlength: 2000 })}
        `}
      `,
      card(texts.email)`
        <p>${profile.email || texts.noEmail}</p>
        ${notice('good', data.saved === 'mail' && texts.resent)} ${refusal(locale, refusedOf(data.refused, 'mail'))}
        ${profile.email && buttonForm({ fields: { action: 'mail' }, label: texts.resend })}
      `,
      card(texts.password)`
        <p class="quiet">${texts.passwordHint}</p>
        ${savedNotice(locale, data.saved === 'password')} ${refusal(locale, ofPassword)}
        ${form(texts.change, { action: 'password' })`
          <input type="text" name="username" autocomplete="username" value=${profile.email} hidden />
          ${field({ name: 'currentPassword', label: texts.current, refused: ofPassword, type: 'password', autocomplete: 'current-password', maxlength: 128 })}
          ${field({ name: 'newPassword', label: texts.next, hint: account.register.passwordHint, refused: ofPassword, type: 'password', autocomplete: 'new-password', required: true, minlength: 8, maxlength: 128 })}
        `}
      `,
      secondFactorCard(locale, data.factor),
      card(texts.logins)`
        ${refusal(locale, refusedOf(data.refused, 'unlink'))}
        <ul class="lines">
          ${(['gameplatform', 'chat'] as const)
            .filter((provider) => methods[provider])
            .map((provider) => {
              const id = provider === 'chat' ? profile.chatId : profile.gamePlatformId
              return html`
                <li class="row spread">
                  <span><b>${account.login[provider]}</b> <span class="quiet">${id ? locale.say(texts.linked, { id }) : texts.notLinked}</span></span>
                  ${
                    id
                      ? buttonForm({ fields: { action: 'unlink', provider }, label: texts.unlink })
                      : html`<a class="button quiet-button" href=${providerPath(provider, locale.href('/account'))}>${texts.link}</a>`
                  }
                </li>
              `
            })}
        </ul>
      `,
      sessionsCard(locale, data.sessions, data),
      dataCard(locale),
      card(texts.deletion)`
        ${
          profile.isAdmin
            ? html`<p>${texts.deletionAdmin}</p>`
            : html`
              <p>${texts.deletionText}</p>
              ${refusal(locale, ofDeletion)}
              ${confirmButton({
                fields: { action: 'delete' },
                label: texts.deletion,
                warning: texts.deletionWarning,
                confirm: texts.deletionConfirm,
                isOpen: ofDeletion !== undefined,
                asks: html`<div class="form">
                  ${field({ name: 'password', label: account.login.password, hint: texts.deletionPasswordHint, refused: ofDeletion, type: 'password', autocomplete: 'current-password', maxlength: 128 })}
                  ${consent({ name: 'confirmed', label: texts.deletionUnderstood, refused: ofDeletion })}
                </div>`,
              })}
            `
        }
      `,
    ]
  },
  async post({ api, form, locale }) {
    const { action = '', id = '', username, avatarUrl, provider } = form
    if (action === 'profile') await api.patch('/user/profile', { body: withoutUndefined({ username, avatarUrl }) })
    else if (action === 'mail') await api.post('/auth/verify-email/send')
    else if (action === 'unlink')
      await api.post(provider === 'chat' ? '/user/unlink/chat' : '/user/unlink/gameplatform')
    else if (action === 'sessions') await api.delete('/user/sessions')
    else if (action === 'session') await api.delete('/user/sessions/{id}', { path: { id } })
    else if (action === 'delete') {
      if (!form.confirmed) throw validationFailed([{ path: 'body.confirmed', message: 'must be checked' }])
      await api.delete('/user', { body: withoutUndefined({ password: form.password || undefined }) })
      return locale.href('/login', { saved: action })
    } else {
      const { currentPassword, newPassword = '' } = form
      await api.post('/user/password', {
        body: { newPassword, ...withoutUndefined({ currentPassword: currentPassword || undefined }) },
      })
    }
    return locale.href('/account', { saved: action })
  },
})

const secondFactorCard = (locale: Locale<'account'>, { isOn }: Schemas['SecondFactor']) => {
  const { secondFactor: texts } = locale.t.account
  return card(texts.title)`
    <p>${isOn ? texts.isOn : texts.text}</p>
    <div><a class="button quiet-button" href=${locale.href('/account/second-factor')}>${isOn ? texts.manage : texts.setUp}</a></div>
  `
}
