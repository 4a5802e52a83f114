// The account: logging in, the profile, API keys, favorites, notifications, the subscription.
import {
  buttonForm,
  careful,
  checks,
  copyBlock,
  field,
  hiddenFields,
  pager,
  type RefusedForm,
  refusal,
  refusedOf,
  saved,
  tabs,
} from './forms.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'
import { playersBar, serverPath } from './server-row.ts'
import type { Schemas } from './types.ts'

export type AccountLocale = Locale<'account' | 'forms'>

interface Form {
  refused: RefusedForm | undefined
}

export interface LoginData extends Form {
  methods: Schemas['LoginMethods']
  /** Query to keep between logging in and registering. */
  next: string | undefined
}

const EMAIL = { type: 'email', autocomplete: 'email', required: true, maxlength: 254 }

export function loginView(locale: AccountLocale, { refused, methods, next }: LoginData) {
  const { login } = locale.t.account
  const providers = (['gameplatform', 'chat'] as const).filter((provider) => methods[provider])
  return html`
    <section class="card narrow stack">
      <h1>${login.title}</h1>
      ${refusal(locale, refused)}
      <form method="post" class="form">
        ${field({ name: 'email', label: login.email, refused, ...EMAIL, autofocus: true })}
        ${field({ name: 'password', label: login.password, refused, type: 'password', autocomplete: 'current-password', required: true, maxlength: 128 })}
        <button type="submit">${login.submit}</button>
      </form>
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
      <form method="post" class="form">
        ${field({ name: 'username', label: register.username, hint: register.usernameHint, refused, autocomplete: 'nickname', required: true, minlength: 2, maxlength: 50 })}
        ${field({ name: 'email', label: login.email, hint: register.emailHint, refused, ...EMAIL })}
        ${field({ name: 'password', label: login.password, hint: register.passwordHint, refused, type: 'password', autocomplete: 'new-password', required: true, minlength: 8, maxlength: 128 })}
        <button type="submit">${register.submit}</button>
      </form>
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
      <form method="post"><button type="submit">${logout.submit}</button></form>
    </section>
  `
}

const TABS = ['profile', 'keys', 'favorites', 'notifications', 'subscription'] as const
type Tab = (typeof TABS)[number]

export const accountPath = (tab: Tab) => (tab === 'profile' ? '/account' : `/account/${tab}`)

interface Around {
  canSubscribe: boolean
}

/** @param content sections of the tab */
function around(locale: AccountLocale, tab: Tab, { canSubscribe }: Around, content: Content) {
  const { account } = locale.t
  const links = TABS.filter((one) => one !== 'subscription' || canSubscribe)
  return html`
    <div class="area stack">
      <h1>${account.title}</h1>
      ${tabs(
        locale,
        account.tabs.label,
        links.map((one) => ({ href: accountPath(one), name: account.tabs[one], isHere: one === tab })),
      )}
      ${content}
    </div>
  `
}

export interface ProfileData extends Form, Around {
  profile: Schemas['UserProfile']
  methods: Schemas['LoginMethods']
  saved: string | undefined
}

export function profileView(locale: AccountLocale, data: ProfileData) {
  const { account } = locale.t
  const { profile: texts } = account
  const { profile, methods } = data
  const ofProfile = refusedOf(data.refused, 'profile')
  const ofPassword = refusedOf(data.refused, 'password')
  const ofLogins = refusedOf(data.refused, 'unlink')
  return around(locale, 'profile', data, [
    html`
      <section class="card stack">
        <h2>${texts.title}</h2>
        <p class="quiet">${locale.say(texts.since, { date: locale.date(profile.createdAt) })} · <a href=${locale.href('/my/servers')}>${locale.say(texts.owns, { n: profile._count.ownedServers })}</a></p>
        ${saved(locale, data.saved === 'profile')} ${refusal(locale, ofProfile)}
        <form method="post" class="form">
          ${hiddenFields({ action: 'profile' })}
          ${field({ name: 'username', label: account.register.username, value: profile.username, refused: ofProfile, required: true, minlength: 2, maxlength: 50, autocomplete: 'nickname' })}
          ${field({ name: 'avatarUrl', label: texts.avatar, hint: texts.avatarHint, value: profile.avatarUrl, refused: ofProfile, type: 'url', maxlength: 2000 })}
          <div><button type="submit">${locale.t.forms.save}</button></div>
        </form>
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.email}</h2>
        <p>${profile.email || texts.noEmail}</p>
        ${data.saved === 'mail' && html`<p class="notice is-good" role="status">${texts.resent}</p>`}
        ${profile.email && buttonForm({ fields: { action: 'mail' }, label: texts.resend })}
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.password}</h2>
        <p class="quiet">${texts.passwordHint}</p>
        ${saved(locale, data.saved === 'password')} ${refusal(locale, ofPassword)}
        <form method="post" class="form">
          ${hiddenFields({ action: 'password' })}
          <input type="text" name="username" autocomplete="username" value=${profile.email} hidden />
          ${field({ name: 'currentPassword', label: texts.current, refused: ofPassword, type: 'password', autocomplete: 'current-password', maxlength: 128 })}
          ${field({ name: 'newPassword', label: texts.next, hint: account.register.passwordHint, refused: ofPassword, type: 'password', autocomplete: 'new-password', required: true, minlength: 8, maxlength: 128 })}
          <div><button type="submit">${texts.change}</button></div>
        </form>
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.logins}</h2>
        ${refusal(locale, ofLogins)}
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
                      : html`<a class="button quiet-button" href=${`/api/auth/${provider}`}>${texts.link}</a>`
                  }
                </li>
              `
            })}
        </ul>
      </section>
      <form method="post" action=${locale.href('/logout')}><button type="submit" class="quiet-button">${texts.logout}</button></form>
    `,
  ])
}

export interface KeysData extends Form, Around {
  apiKeys: Schemas['ApiKeyItem'][]
  subscription: Schemas['Subscription']
  created: Schemas['CreatedApiKey'] | undefined
  now: number
}

export function keysView(locale: AccountLocale, data: KeysData) {
  const { keys, subscription } = locale.t.account
  const { apiKeys, created, now } = data
  const { tier, tiers } = data.subscription
  const limit = tiers.find((one) => one.name === tier)?.rateLimit ?? 0
  return around(locale, 'keys', data, [
    created &&
      html`
        <section class="notice is-good stack" role="status">
          <p><b>${keys.created}</b></p>
          ${copyBlock(locale, `${created.key}.${created.secret}`)}
          <p>${keys.use}</p>
          ${copyBlock(locale, `Authorization: Bearer ${created.key}.${created.secret}`)}
        </section>
      `,
    html`
      <section class="card stack">
        <h2>${keys.title}</h2>
        <p class="quiet">${keys.lead} <a href="/docs">${keys.docs}</a></p>
        <p>${locale.say(keys.limit, { n: limit, tier: subscription.tiers[tier] })}</p>
        ${refusal(locale, data.refused)}
        ${
          apiKeys.length > 0
            ? html`
              <ul class="lines">
                ${apiKeys.map(
                  ({ id, name, key, isActive, createdAt, lastUsedAt }) => html`
                    <li class="row spread">
                      <div>
                        <b dir="auto">${name}</b> <span class=${`tag ${isActive ? 'is-good' : ''}`}>${isActive ? keys.active : keys.inactive}</span>
                        <p class="hint"><code>${key}</code></p>
                        <p class="hint">${keys.columns.made}: ${locale.date(createdAt)} · ${keys.columns.used}: ${lastUsedAt ? locale.relative(lastUsedAt, now) : keys.never}</p>
                      </div>
                      <div class="row">
                        ${buttonForm({ fields: { action: isActive ? 'off' : 'on', id }, label: isActive ? keys.off : keys.on })}
                        ${careful({ fields: { action: 'revoke', id }, label: keys.revoke, warning: keys.revokeWarning, confirm: keys.revokeConfirm })}
                      </div>
                    </li>
                  `,
                )}
              </ul>
            `
            : html`<p class="quiet">${keys.none}</p>`
        }
        <form method="post" class="form">
          ${hiddenFields({ action: 'create' })}
          ${field({ name: 'name', label: keys.name, refused: refusedOf(data.refused, 'create'), required: true, maxlength: 100 })}
          <div><button type="submit">${keys.create}</button></div>
        </form>
      </section>
    `,
  ])
}

export interface FavoritesData extends Around {
  favorites: Schemas['FavoriteServer'][]
}

export function favoritesView(locale: AccountLocale, data: FavoritesData) {
  const { favorites: texts } = locale.t.account
  const { favorites } = data
  if (favorites.length === 0)
    return around(
      locale,
      'favorites',
      data,
      html`<div class="empty"><p>${texts.none}</p><p><a class="button" href=${locale.href('/')}>${texts.browse}</a></p></div>`,
    )
  return around(
    locale,
    'favorites',
    data,
    html`
      <section class="card stack">
        <h2>${texts.title}</h2>
        <ul class="lines">
          ${favorites.map(
            (server) => html`
              <li class="row spread">
                <div class="grow">
                  <a href=${locale.href(serverPath(server.id))} dir="auto"><b>${server.name}</b></a>
                  <p class="hint">${server.ipAddress}:${server.gamePort}</p>
                </div>
                <div class="row"><div class="players-cell">${playersBar(locale, server)}</div>
                ${buttonForm({ fields: { id: server.id }, label: html`${texts.remove}<span class="visually-hidden"> ${server.name}</span>` })}</div>
              </li>
            `,
          )}
        </ul>
      </section>
    `,
  )
}

const EVENTS = ['serverOffline', 'serverOnline', 'serverWiped', 'voteMilestone', 'auctionOutbid', 'auctionWon'] as const

export interface NotificationsData extends Form, Around {
  notifications: Schemas['Notification'][]
  pagination: Schemas['Pagination']
  preferences: Schemas['NotificationPreferences']
  webhook: Schemas['ChatWebhook']
  unread: string | undefined
  saved: string | undefined
  now: number
}

export function notificationsView(locale: AccountLocale, data: NotificationsData) {
  const { account, forms } = locale.t
  const { notifications: texts } = account
  const { notifications, pagination, preferences, webhook, unread, now } = data
  const path = accountPath('notifications')
  const unreadIds = notifications.filter(({ readAt }) => readAt === null).map(({ id }) => id)
  const ofWebhook = refusedOf(data.refused, 'webhook')
  return around(locale, 'notifications', data, [
    html`
      <section class="card stack">
        <div class="row spread">
          <h2>${texts.title}</h2>
          <a href=${locale.href(path, { unread: unread ? undefined : 'true' })}>${unread ? texts.all : texts.onlyUnread}</a>
        </div>
        ${
          notifications.length > 0
            ? html`
              <ul class="lines">
                ${notifications.map(
                  ({ id, serverId, title, message, count, createdAt, readAt }) => html`
                    <li key=${id}>
                      <p><b dir="auto">${serverId ? html`<a href=${locale.href(serverPath(serverId))}>${title}</a>` : title}</b> ${readAt === null && html`<span class="tag is-good">${texts.unread}</span>`} ${count > 1 && html`<span class="quiet">${locale.say(texts.times, { n: count })}</span>`}</p>
                      <p dir="auto">${message}</p>
                      <p class="hint"><time datetime=${createdAt} title=${locale.time(createdAt)}>${locale.relative(createdAt, now)}</time></p>
                    </li>
                  `,
                )}
              </ul>
            `
            : html`<p class="quiet">${texts.none}</p>`
        }
        ${unreadIds.length > 0 && buttonForm({ fields: { action: 'read', ids: unreadIds.join(',') }, label: texts.markAll })}
        ${pager(locale, pagination, (page) => locale.href(path, { unread, page }))}
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.preferences}</h2>
        <p class="quiet">${texts.followHint}</p>
        ${saved(locale, data.saved === 'preferences')} ${refusal(locale, refusedOf(data.refused, 'preferences'))}
        <form method="post" class="form">
          ${hiddenFields({ action: 'preferences' })}
          ${checks({
            name: 'channels',
            label: texts.channels,
            chosen: (['email', 'chat'] as const).filter((channel) => preferences[channel]),
            options: [
              ['email', texts.email],
              ['chat', texts.chat],
            ],
          })}
          ${checks({
            name: 'events',
            label: texts.events,
            chosen: EVENTS.filter((event) => preferences.events[event]),
            options: EVENTS.map((event) => [event, texts.event[event]] as const),
          })}
          <div><button type="submit">${forms.save}</button></div>
        </form>
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.webhook}</h2>
        ${webhook.isSet && html`<p>${locale.say(texts.webhookSet, { host: webhook.host })}</p>`}
        ${saved(locale, data.saved === 'webhook')} ${refusal(locale, ofWebhook)}
        <form method="post" class="form">
          ${hiddenFields({ action: 'webhook' })}
          ${field({ name: 'url', label: texts.url, hint: texts.webhookHint, refused: ofWebhook, type: 'url', required: true, maxlength: 2000, autocomplete: 'off' })}
          <div><button type="submit">${forms.save}</button></div>
        </form>
        ${webhook.isSet && buttonForm({ fields: { action: 'no-webhook' }, label: texts.remove, look: 'danger-button' })}
      </section>
    `,
  ])
}

export interface SubscriptionData extends Form, Around {
  subscription: Schemas['Subscription']
  /** Page at the payment provider, and what it is for. */
  leads: { to: string; for: 'checkout' | 'portal' } | undefined
}

export function subscriptionView(locale: AccountLocale, data: SubscriptionData) {
  const { subscription: texts } = locale.t.account
  const { tier, tiers, status, currentPeriodEnd, cancelAtPeriodEnd } = data.subscription
  const { leads } = data
  const hasOne = status !== 'none'
  const known: string | undefined = texts.statuses[status as keyof typeof texts.statuses]
  return around(locale, 'subscription', data, [
    refusal(locale, data.refused),
    leads &&
      html`
        <section class="notice is-good row spread" role="status">
          <p>${leads.for === 'checkout' ? texts.ready : texts.portalReady}</p>
          <a class="button" href=${leads.to} rel="noreferrer">${leads.for === 'checkout' ? texts.pay : texts.toPortal}</a>
        </section>
      `,
    html`
      <section class="card stack">
        <h2>${texts.title}</h2>
        <dl class="values">
          <dt>${texts.tier}</dt><dd><b>${texts.tiers[tier]}</b></dd>
          <dt>${texts.status}</dt><dd>${known ?? status}${currentPeriodEnd && html` · ${locale.say(cancelAtPeriodEnd ? texts.ends : texts.renews, { date: locale.date(currentPeriodEnd) })}`}</dd>
        </dl>
        <ul class="lines">
          ${tiers.map(
            (one) => html`
              <li class="row spread">
                <span><b>${texts.tiers[one.name]}</b> <span class="quiet">${locale.say(texts.limits, { n: one.rateLimit })}</span></span>
                ${
                  one.name === tier
                    ? html`<span class="tag is-good">${texts.current}</span>`
                    : one.name !== 'free' &&
                      buttonForm({
                        fields: { action: 'checkout', tier: one.name },
                        label: locale.say(texts.choose, { tier: texts.tiers[one.name] }),
                      })
                }
              </li>
            `,
          )}
        </ul>
        ${
          hasOne &&
          html`
            <div class="row">
              ${buttonForm({ fields: { action: 'portal' }, label: texts.portal })}
              ${!cancelAtPeriodEnd && careful({ fields: { action: 'cancel' }, label: texts.cancel, warning: texts.cancelWarning, confirm: texts.cancelConfirm })}
            </div>
          `
        }
      </section>
    `,
  ])
}
