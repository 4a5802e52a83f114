// Notifications, and by which channels they come.
import { buttonForm, field, form } from '../fields.ts'
import { checks, saved } from '../forms.ts'
import { html } from '../html.ts'
import { pager } from '../lists.ts'
import { ago, card, lines, tag } from '../parts.ts'
import { refusal, refusedOf } from '../refusal.ts'
import { serverPath } from '../server-parts.ts'
import type { Schemas } from '../types.ts'
import { type AccountData, type AccountLocale, accountPath, around } from './frame.ts'

export interface NotificationsData extends AccountData {
  notifications: Schemas['Notification'][]
  pagination: Schemas['Pagination']
  preferences: Schemas['NotificationPreferences']
  webhook: Schemas['ChatWebhook']
  unread: string | undefined
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
        ${lines(
          notifications.map(
            ({ id, serverId, title, message, count, createdAt, readAt }) => html`
              <li key=${id}>
                <p><b lang="en" dir="auto">${serverId ? html`<a href=${locale.href(serverPath(serverId))}>${title}</a>` : title}</b> ${readAt === null && tag('good', texts.unread)} ${count > 1 && html`<span class="quiet">${locale.say(texts.times, { n: count })}</span>`}</p>
                <p lang="en" dir="auto">${message}</p>
                <p class="hint">${ago(locale, createdAt, now)}</p>
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
      ${saved(locale, data.saved === 'preferences')} ${refusal(locale, refusedOf(data.refused, 'preferences'))}
      ${form(forms.save, { action: 'preferences' })`
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
                  chosen: Object.entries(preferences.events).flatMap(([event, isChosen]) => (isChosen ? event : [])),
                  options: Object.entries(texts.event),
                })}
      `}
    `,
    card(texts.webhook)`
      ${webhook.isSet && html`<p>${locale.say(texts.webhookSet, { host: webhook.host })}</p>`}
      ${saved(locale, data.saved === 'webhook')} ${refusal(locale, ofWebhook)}
      ${form(forms.save, { action: 'webhook' })`
        ${field({ name: 'url', label: texts.url, hint: texts.webhookHint, refused: ofWebhook, type: 'url', required: true, maxlength: 2000, autocomplete: 'off' })}
      `}
      ${webhook.isSet && buttonForm({ fields: { action: 'no-webhook' }, label: texts.remove, look: 'danger-button' })}
    `,
  ])
}
