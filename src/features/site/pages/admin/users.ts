// Accounts.
import { type AdminLocale, adminPath } from '../../components/admin/frame.ts'
import { buttonForm, hiddenFields } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { auditLink, cards, flagFilter, listPage, textFilter } from './list.ts'
import { backToList } from './page.ts'

const TIERS = ['free', 'standard', 'premium', 'enterprise'] as const

const USER_CHANGES = {
  ban: { banned: true },
  unban: { banned: false },
  promote: { isAdmin: true },
  demote: { isAdmin: false },
  appoint: { isModerator: true },
  dismiss: { isModerator: false },
}

export const usersPage = listPage({
  area: 'users',
  query: ['search', 'banned', 'admin', 'moderator'],
  data: ({ api }, query) => api.get('/admin/users', { query }),
  view(locale, { query, users }) {
    const { admin: t } = locale.t
    return {
      filters: [
        textFilter(query, 'search', t.search),
        flagFilter(locale, query, 'banned', t.stats.banned),
        flagFilter(locale, query, 'admin', t.isAdmin),
        flagFilter(locale, query, 'moderator', t.isModerator),
      ],
      items: cards(users.map((user) => userItem(locale, user))),
    }
  },
  async post(input) {
    const { id = '', action, tier } = input.form
    const path = { id }
    if (action === 'delete') {
      await input.api.delete('/admin/users/{id}', { path })
      return backToList(input, 'users', 'deleted')
    }
    const body = action === 'tier' ? { tier: tier as 'free' } : USER_CHANGES[action as keyof typeof USER_CHANGES]
    await input.api.patch('/admin/users/{id}', { path, body })
    return backToList(input, 'users', 'saved')
  },
})

function userItem(locale: AdminLocale, user: Schemas['AdminUser']) {
  const { admin: t } = locale.t
  const { id, username, email, emailVerified, isAdmin, isModerator, tier, bannedAt, createdAt } = user
  const { sessions, apiKeys, ownedServers } = user
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        <h2 dir="auto">${username}</h2>
        ${tag('', tier)}
        ${isAdmin && tag('warn', t.isAdmin)}
        ${isModerator && tag('warn', t.isModerator)}
        ${bannedAt !== null && tag('bad', locale.say(t.isBanned, { time: locale.date(bannedAt) }))}
      </div>
      <p class="facts wraps">
        ${email && html`<span>${email}${!emailVerified && `, ${t.unverifiedEmail}`}</span>`}
        <span>${locale.say(t.since, { time: locale.date(createdAt) })}</span>
        <span><a href=${locale.href(adminPath('servers'), { owner: id })}>${locale.say(locale.t.common.servers, { n: ownedServers })}</a></span>
        <span>${locale.say(t.sessions, { n: sessions })}</span>
        <span>${locale.say(t.keys, { n: apiKeys })}</span>
      </p>
      <p class="quiet"><code>${id}</code></p>
      <div class="row bottom-aligned">
        <form method="post" class="row bottom-aligned">
          ${hiddenFields({ action: 'tier', id })}
          <label>${t.tier} <select name="tier">${TIERS.map((one) => html`<option value=${one} selected=${one === tier}>${one}</option>`)}</select></label>
          <button class="quiet-button">${t.setTier}</button>
        </form>
        ${auditLink(locale, { actorId: id }, t.audited)}
        ${auditLink(locale, { targetId: id })}
      </div>
      <div class="row top-aligned">
        ${
          bannedAt === null
            ? confirmButton({
                fields: { action: 'ban', id },
                label: t.ban,
                warning: t.banWarning,
                confirm: t.confirmBan,
              })
            : buttonForm({ fields: { action: 'unban', id }, label: t.unban })
        }
        ${
          isModerator
            ? buttonForm({ fields: { action: 'dismiss', id }, label: t.dismissModerator })
            : confirmButton({
                fields: { action: 'appoint', id },
                label: t.makeModerator,
                warning: t.makeModeratorWarning,
                confirm: t.confirmModerator,
              })
        }
        ${
          isAdmin
            ? buttonForm({ fields: { action: 'demote', id }, label: t.demote })
            : confirmButton({
                fields: { action: 'promote', id },
                label: t.makeAdmin,
                warning: t.makeAdminWarning,
                confirm: t.confirmAdmin,
              })
        }
        ${confirmButton({ fields: { action: 'delete', id }, label: t.deleteUser, warning: t.deleteUserWarning, confirm: t.confirmDelete })}
      </div>
    </li>
  `
}
