// The account's notifications and their channels.
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { buttonForm, field, form, refusal, refusedOf } from '../../components/fields.ts'
import { checkboxes, savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { ago, card, lines, tag } from '../../components/parts.ts'
import { serverPath } from '../../components/server-parts.ts'
import type { Schemas, ServerDetail } from '../../components/types.ts'
import { listOf } from '../../form.ts'
import { pageOf } from '../../page.ts'
import { findListed } from '../listed-servers.ts'
import { accountPage, accountPath } from './page.ts'

type Notice = Schemas['Notification']

export const notificationsPage = accountPage({
  tab: 'notifications',
  query: ['page', 'unread'],
  async data({ api, query }) {
    const unread = query.unread === 'true' ? ('true' as const) : undefined
    const [list, preferences, webhook] = await Promise.all([
      api.get('/user/notifications', { query: { ...pageOf(query), ...withoutUndefined({ unread }) } }),
      api.get('/user/notification-preferences'),
      api.get('/user/notification-preferences/chat-webhook'),
    ])
    const listed = await findListed(
      api,
      list.notifications.flatMap(({ serverId }) => serverId ?? []),
    )
    return { ...list, listed, preferences, webhook, unread }
  },
  view(locale, data) {
    const { account, forms } = locale.t
    const { notifications: texts } = account
    const { notifications, listed, pagination, preferences, webhook, unread, now } = data
    const path = accountPath('notifications')
    const linked = (notice: Notice) => {
      const path = pathOf(notice, listed.get(notice.serverId ?? ''))
      return path ? html`<a href=${locale.href(path)}>${notice.title}</a>` : notice.title
    }
    const unreadIds = notifications.filter(({ readAt }) => readAt === null).map(({ id }) => id)
    const ofWebhook = refusedOf(data.refused, 'webhook')
    const ofPreferences = refusedOf(data.refused, 'preferences')
    return [
      html`
        <section class="card stack">
          <div class="row spread">
            <h2>${texts.title}</h2>
            <a href=${locale.href(path, { unread: unread ? undefined : 'true' })}>${unread ? texts.all : texts.onlyUnread}</a>
          </div>
          ${lines(
            notifications.map(
              (notice) => html`
                <li key=${notice.id}>
                  <p><b lang="en" dir="auto">${linked(notice)}</b> ${notice.readAt === null && tag('good', texts.unread)} ${notice.count > 1 && html`<span class="quiet">${locale.say(texts.times, { n: notice.count })}</span>`}</p>
                  <p lang="en" dir="auto">${notice.message}</p>
                  <p class="hint">${ago(locale, notice.createdAt, now)}</p>
                </li>
              `,
            ),
            texts.none,
          )}
          ${unreadIds.length > 0 && buttonForm({ fields: { action: 'read', ids: unreadIds.join(',') }, label: texts.markAll })}
          ${pager(locale, pagination, (page) => locale.href(path, { unread, page }))}
        </section>
      `,
      card(texts.preferences)`
        <p class="quiet">${texts.followHint}</p>
        ${savedNotice(locale, data.saved === 'preferences')} ${refusal(locale, ofPreferences)}
        ${form(forms.save, { action: 'preferences' })`
          ${checkboxes({
            name: 'channels',
            label: texts.channels,
            refused: ofPreferences,
            chosen: (['email', 'chat'] as const).filter((channel) => preferences[channel]),
            options: [
              ['email', texts.email],
              ['chat', texts.chat],
            ],
          })}
          ${checkboxes({
            name: 'events',
            label: texts.events,
            refused: ofPreferences,
            chosen: Object.entries(preferences.events).flatMap(([event, isChosen]) => (isChosen ? event : [])),
            options: Object.entries(texts.event),
          })}
        `}
      `,
      card(texts.webhook)`
        ${webhook.isSet && html`<p>${locale.say(texts.webhookSet, { host: webhook.host })}</p>`}
        ${savedNotice(locale, data.saved === 'webhook')} ${refusal(locale, ofWebhook)}
        ${form(forms.save, { action: 'webhook' })`
          ${field({ name: 'url', label: texts.url, hint: texts.webhookHint, refused: ofWebhook, type: 'url', required: true, maxlength: 2000, autocomplete: 'off' })}
        `}
        ${webhook.isSet && buttonForm({ fields: { action: 'no-webhook' }, label: texts.remove, look: 'danger-button' })}
      `,
    ]
  },
  async post({ api, form, locale, query }) {
    const { action = '', ids = '', url = '' } = form
    const preferences = '/user/notification-preferences'
    if (action === 'read') await api.post('/user/notifications/read', { body: { ids: ids.split(',') } })
    else if (action === 'webhook') await api.put(`${preferences}/chat-webhook`, { body: { url } })
    else if (action === 'no-webhook') await api.delete(`${preferences}/chat-webhook`)
    else {
      const [channels, chosen] = [listOf(form.channels), listOf(form.events)]
      const events = Object.keys(locale.t.account.notifications.event).map((event) => [event, chosen.includes(event)])
      const [email, chat] = [channels.includes('email'), channels.includes('chat')]
      await api.patch(preferences, { body: { email, chat, events: Object.fromEntries(events) } })
    }
    return locale.href(accountPath('notifications'), action === 'read' ? { unread: query.unread } : { saved: action })
  },
})

/** The page where the visitor acts on a notification, or else the server's; undefined: none. */
function pathOf({ event, auctionId, serverId }: Notice, listed: ServerDetail | undefined) {
  if (auctionId) return `/auctions/${auctionId}`
  if (event === 'serverInvitation') return '/my/servers'
  if (event === 'serverTakeover' && serverId) return ownerPath(serverId, 'edit')
  if (event === 'rewardsStopped' && serverId) return ownerPath(serverId, 'rcon')
  return listed && serverPath(listed)
}
