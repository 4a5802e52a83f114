// Logging in, registering, and the account with its keys, favorites, notifications and subscription.
import { validationFailed } from '../../../platform/http/errors.ts'
import { type FavoritesData, favoritesView } from '../components/account/favorites.ts'
import { type AccountData, type AccountTab, accountPath } from '../components/account/frame.ts'
import { type KeysData, keysView } from '../components/account/keys.ts'
import { type LoginData, loginView, logoutView, registerView } from '../components/account/login.ts'
import { type NotificationsData, notificationsView } from '../components/account/notifications.ts'
import { type ProfileData, profileView } from '../components/account/profile.ts'
import { type SubscriptionData, subscriptionView } from '../components/account/subscription.ts'
import type { Schemas } from '../components/types.ts'
import { given } from '../form.ts'
import { type PageDeclaration, type PageInput, page } from '../page.ts'

/** Where a login leads: a path of this site, encoded as browsers send it. */
const safeNext = (next: string | undefined): string | undefined =>
  next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : undefined

const loginPage = page({
  path: '/login',
  texts: ['account', 'forms'],
  query: ['next', 'saved'],
  async data({ api, query, refused }): Promise<LoginData> {
    const methods = await api.get('/auth/methods')
    return { refused, next: safeNext(query.next), saved: query.saved, methods }
  },
  head: (locale) => ({ title: locale.t.account.login.title }),
  view: loginView,
  async post({ api, form, query, locale }) {
    await api.post('/auth/login', { body: { email: form.email ?? '', password: form.password ?? '' } })
    return safeNext(query.next) ?? locale.href('/account')
  },
})

const registerPage = page({
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

const logoutPage = page({
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

type Part = 'account' | 'forms'

interface Declaration<Data extends AccountData>
  extends Omit<PageDeclaration<Data, Part>, 'texts' | 'head' | 'path' | 'data'> {
  tab: AccountTab
  data(input: PageInput<Part>): Promise<Omit<Data, keyof AccountData>>
}

/** A page of the account, with what all of them show. */
const accountPage = <Data extends AccountData>({ tab, query, data, ...declaration }: Declaration<Data>) =>
  page<Data, Part>({
    ...declaration,
    path: accountPath(tab),
    texts: ['account', 'forms'],
    access: 'session',
    query: [...(query ?? []), 'saved'],
    async data(input) {
      const { api, refused } = input
      const [subscription, own] = await Promise.all([api.get('/user/subscription'), data(input)])
      return { subscription, refused, saved: input.query.saved, now: Date.now(), ...own } as AccountData as Data
    },
    head: (locale) => ({ title: locale.t.account.tabs[tab], noindex: true }),
  })

const profilePage = accountPage<ProfileData>({
  tab: 'profile',
  async data({ api }) {
    const [profile, methods] = await Promise.all([api.get('/user/profile'), api.get('/auth/methods')])
    return { profile, methods }
  },
  view: profileView,
  async post({ api, form, locale }) {
    const { action = '', username, avatarUrl, provider } = form
    if (action === 'profile') await api.patch('/user/profile', { body: given({ username, avatarUrl }) })
    else if (action === 'mail') await api.post('/auth/verify-email/send')
    else if (action === 'unlink')
      await api.post(provider === 'chat' ? '/user/unlink/chat' : '/user/unlink/gameplatform')
    else if (action === 'sessions') await api.delete('/user/sessions')
    else if (action === 'delete') {
      if (!form.confirmed) throw validationFailed([{ path: 'body.confirmed', message: 'must be checked' }])
      await api.delete('/user', { body: given({ password: form.password || undefined }) })
      return locale.href('/login', { saved: action })
    } else {
      const { currentPassword, newPassword = '' } = form
      await api.post('/user/password', {
        body: { newPassword, ...given({ currentPassword: currentPassword || undefined }) },
      })
    }
    return locale.href('/account', { saved: action })
  },
})

const keysPage = accountPage<KeysData>({
  tab: 'keys',
  script: 'buttons.ts',
  async data({ api, once }) {
    const { apiKeys } = await api.get('/user/api-keys')
    return { apiKeys, created: once?.created as Schemas['CreatedApiKey'] | undefined }
  },
  view: keysView,
  async post({ api, form, locale }) {
    const { action, id = '', name = '' } = form
    if (action === 'create') return { created: await api.post('/user/api-keys', { body: { name } }) }
    if (action === 'revoke') await api.delete('/user/api-keys/{id}', { path: { id } })
    else await api.patch('/user/api-keys/{id}', { path: { id }, body: { isActive: action === 'on' } })
    return locale.href(accountPath('keys'))
  },
})

const favoritesPage = accountPage<FavoritesData>({
  tab: 'favorites',
  data: ({ api }) => api.get('/user/favorites'),
  view: favoritesView,
  async post({ api, form, locale }) {
    await api.delete('/servers/{id}/favorite', { path: { id: form.id ?? '' } })
    return locale.href(accountPath('favorites'))
  },
})

const notificationsPage = accountPage<NotificationsData>({
  tab: 'notifications',
  query: ['page', 'unread'],
  async data({ api, query }) {
    const unread = query.unread === 'true' ? ('true' as const) : undefined
    const [list, preferences, webhook] = await Promise.all([
      api.get('/user/notifications', { query: given({ page: query.page as number | undefined, unread }) }),
      api.get('/user/notification-preferences'),
      api.get('/user/notification-preferences/chat-webhook'),
    ])
    return { ...list, preferences, webhook, unread }
  },
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

const subscriptionPage = accountPage<SubscriptionData>({
  tab: 'subscription',
  data: async ({ once }) => ({ leads: once as SubscriptionData['leads'] }),
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

export const ACCOUNT_PAGES = [
  loginPage,
  registerPage,
  logoutPage,
  profilePage,
  keysPage,
  favoritesPage,
  notificationsPage,
  subscriptionPage,
]
