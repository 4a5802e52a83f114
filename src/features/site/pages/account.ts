// Logging in, registering, and the account with its keys, favorites, notifications and subscription.
import type { Client } from '../api.ts'
import {
  accountPath,
  type FavoritesData,
  favoritesView,
  type KeysData,
  keysView,
  type LoginData,
  loginView,
  logoutView,
  type NotificationsData,
  notificationsView,
  type ProfileData,
  profileView,
  registerView,
  type SubscriptionData,
  subscriptionView,
} from '../components/account.ts'
import type { Schemas } from '../components/types.ts'
import { given } from '../form.ts'
import { page } from '../page.ts'

/** Where a login leads: a path of this site. */
const safeNext = (next: string | undefined): string | undefined =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : undefined

export const loginPage = page({
  path: '/login',
  texts: ['account', 'forms'],
  query: ['next'],
  async data({ api, query, refused }): Promise<LoginData> {
    return { refused, next: safeNext(query.next), methods: await api.get('/auth/methods') }
  },
  head: (locale) => ({ title: locale.t.account.login.title }),
  view: loginView,
  async post({ api, form, query, locale }) {
    await api.post('/auth/login', { body: { email: form.email ?? '', password: form.password ?? '' } })
    return safeNext(query.next) ?? locale.href('/account')
  },
})

export const registerPage = page({
  path: '/register',
  texts: ['account', 'forms'],
  query: ['next'],
  data: ({ query, refused }) => ({ refused, next: safeNext(query.next) }),
  head: (locale) => ({ title: locale.t.account.register.title }),
  view: registerView,
  async post({ api, form, query, locale }) {
    const { email = '', password = '', username = '' } = form
    await api.post('/auth/register', { body: { email, password, username } })
    return safeNext(query.next) ?? locale.href('/my/servers')
  },
})

export const logoutPage = page({
  path: '/logout',
  texts: ['account', 'forms'],
  data: () => ({}),
  head: (locale) => ({ title: locale.t.account.logout.title, noindex: true }),
  view: logoutView,
  async post({ api, locale }) {
    await api.post('/auth/logout')
    return locale.href('/')
  },
})

/** What every page of the account shows. */
const ofAccount = async (api: Client) => ({ canSubscribe: (await api.get('/user/subscription')).canSubscribe })
const ACCOUNT = { texts: ['account', 'forms'], access: 'session' } as const

export const profilePage = page({
  ...ACCOUNT,
  path: '/account',
  query: ['saved'],
  async data({ api, query, refused }): Promise<ProfileData> {
    const [around, profile, methods] = await Promise.all([
      ofAccount(api),
      api.get('/user/profile'),
      api.get('/auth/methods'),
    ])
    return { ...around, profile, methods, refused, saved: query.saved }
  },
  head: (locale) => ({ title: locale.t.account.title, noindex: true }),
  view: profileView,
  async post({ api, form, locale }) {
    const { action = '', username, avatarUrl, provider } = form
    if (action === 'profile') await api.patch('/user/profile', { body: given({ username, avatarUrl }) })
    else if (action === 'mail') await api.post('/auth/verify-email/send')
    else if (action === 'unlink')
      await api.post(provider === 'chat' ? '/user/unlink/chat' : '/user/unlink/gameplatform')
    else {
      const { currentPassword, newPassword = '' } = form
      await api.post('/user/password', {
        body: { newPassword, ...given({ currentPassword: currentPassword || undefined }) },
      })
    }
    return locale.href('/account', { saved: action })
  },
})

export const keysPage = page({
  ...ACCOUNT,
  path: '/account/keys',
  script: 'buttons.ts',
  async data({ api, refused, once }): Promise<KeysData> {
    const [{ apiKeys }, subscription] = await Promise.all([api.get('/user/api-keys'), api.get('/user/subscription')])
    const created = once?.created as Schemas['CreatedApiKey'] | undefined
    return { canSubscribe: subscription.canSubscribe, apiKeys, subscription, refused, created, now: Date.now() }
  },
  head: (locale) => ({ title: locale.t.account.keys.title, noindex: true }),
  view: keysView,
  async post({ api, form, locale }) {
    const { action, id = '', name = '' } = form
    if (action === 'create') return { created: await api.post('/user/api-keys', { body: { name } }) }
    if (action === 'revoke') await api.delete('/user/api-keys/{id}', { path: { id } })
    else await api.patch('/user/api-keys/{id}', { path: { id }, body: { isActive: action === 'on' } })
    return locale.href(accountPath('keys'))
  },
})

export const favoritesPage = page({
  ...ACCOUNT,
  path: '/account/favorites',
  async data({ api }): Promise<FavoritesData> {
    const [around, { favorites }] = await Promise.all([ofAccount(api), api.get('/user/favorites')])
    return { ...around, favorites }
  },
  head: (locale) => ({ title: locale.t.account.favorites.title, noindex: true }),
  view: favoritesView,
  async post({ api, form, locale }) {
    await api.delete('/servers/{id}/favorite', { path: { id: form.id ?? '' } })
    return locale.href(accountPath('favorites'))
  },
})

export const notificationsPage = page({
  ...ACCOUNT,
  path: '/account/notifications',
  query: ['page', 'unread', 'saved'],
  async data({ api, query, refused }): Promise<NotificationsData> {
    const unread = query.unread === 'true' ? ('true' as const) : undefined
    const [around, list, preferences, webhook] = await Promise.all([
      ofAccount(api),
      api.get('/user/notifications', { query: given({ page: query.page as number | undefined, unread }) }),
      api.get('/user/notification-preferences'),
      api.get('/user/notification-preferences/chat-webhook'),
    ])
    return { ...around, ...list, preferences, webhook, unread, refused, saved: query.saved, now: Date.now() }
  },
  head: (locale) => ({ title: locale.t.account.notifications.title, noindex: true }),
  view: notificationsView,
  async post({ api, form, locale }) {
    const { action = '', ids = '', url = '' } = form
    const preferences = '/user/notification-preferences'
    if (action === 'read') await api.post('/user/notifications/read', { body: { ids: ids.split(',') } })
    else if (action === 'webhook') await api.put(`${preferences}/chat-webhook`, { body: { url } })
    else if (action === 'no-webhook') await api.delete(`${preferences}/chat-webhook`)
    else {
      const [channels, events] = [form.channels, form.events].map((chosen) => (chosen ?? '').split(','))
      const isOn = (event: string) => events?.includes(event) ?? false
      await api.patch(preferences, {
        body: {
          email: channels?.includes('email') ?? false,
          chat: channels?.includes('chat') ?? false,
          events: {
            serverOffline: isOn('serverOffline'),
            serverOnline: isOn('serverOnline'),
            serverWiped: isOn('serverWiped'),
            voteMilestone: isOn('voteMilestone'),
            auctionOutbid: isOn('auctionOutbid'),
            auctionWon: isOn('auctionWon'),
          },
        },
      })
    }
    return locale.href(accountPath('notifications'), { saved: action === 'read' ? undefined : action })
  },
})

export const subscriptionPage = page({
  ...ACCOUNT,
  path: '/account/subscription',
  async data({ api, refused, once }): Promise<SubscriptionData> {
    const subscription = await api.get('/user/subscription')
    const { canSubscribe } = subscription
    return { canSubscribe, subscription, refused, leads: once as SubscriptionData['leads'] }
  },
  head: (locale) => ({ title: locale.t.account.subscription.title, noindex: true }),
  view: subscriptionView,
  // A form may not lead to another origin (Content-Security-Policy), so its reply has a link.
  async post({ api, form, locale }) {
    const { action } = form
    if (action === 'checkout') {
      const tier = form.tier as 'standard'
      return { to: (await api.post('/billing/checkout', { body: { tier } })).url, for: 'checkout' }
    }
    if (action === 'portal') return { to: (await api.post('/user/subscription/portal')).url, for: 'portal' }
    await api.delete('/user/subscription')
    return locale.href(accountPath('subscription'))
  },
})
