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
        textFilter(query, 'search', t.common.search),
        flagFilter(locale, query, 'banned', t.overview.stats.banned),
        flagFilter(locale, query, 'admin', t.users.isAdmin),
        flagFilter(locale, query, 'moderator', t.users.isModerator),
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
        ${isAdmin && tag('warn', t.users.isAdmin)}
        ${isModerator && tag('warn', t.users.isModerator)}
        ${bannedAt !== null && tag('bad', locale.say(t.users.isBanned, { time: locale.date(bannedAt) }))}
      </div>
      <p class="facts wraps">
        ${email && html`<span>${email}${!emailVerified && `, ${t.users.unverifiedEmail}`}</span>`}
        <span>${locale.say(t.users.since, { time: locale.date(createdAt) })}</span>
        <span><a href=${locale.href(adminPath('servers'), { owner: id })}>${locale.say(locale.t.common.servers, { n: ownedServers })}</a></span>
        <span>${locale.say(t.users.sessions, { n: sessions })}</span>
        <span>${locale.say(t.users.keys, { n: apiKeys })}</span>
      </p>
      <p class="quiet"><code>${id}</code></p>
      <div class="row bottom-aligned">
        <form method="post" class="row bottom-aligned">
          ${hiddenFields({ action: 'tier', id })}
          <label>${t.common.tier} <select name="tier">${TIERS.map((one) => html`<option value=${one} selected=${one === tier}>${one}</option>`)}</select></label>
          <button class="quiet-button">${t.users.setTier}</button>
        </form>
        ${auditLink(locale, { actorId: id }, t.users.actionsBy)}
        ${auditLink(locale, { targetId: id }, t.users.actionsOn)}
      </div>
      <div class="row top-aligned">
        ${
          bannedAt === null
            ? confirmButton({
                fields: { action: 'ban', id },
                label: t.users.ban,
                warning: t.users.banWarning,
                confirm: t.users.confirmBan,
              })
            : buttonForm({ fields: { action: 'unban', id }, label: t.users.unban })
        }
        ${
          isModerator
            ? buttonForm({ fields: { action: 'dismiss', id }, label: t.users.dismissModerator })
            : confirmButton({
                fields: { action: 'appoint', id },
                label: t.users.makeModerator,
                warning: t.users.makeModeratorWarning,
                confirm: t.users.confirmModerator,
              })
        }
        ${
          isAdmin
            ? buttonForm({ fields: { action: 'demote', id }, label: t.users.demote })
            : confirmButton({
                fields: { action: 'promote', id },
                label: t.users.makeAdmin,
                warning: t.users.makeAdminWarning,
                confirm: t.users.confirmAdmin,
              })
        }
        ${confirmButton({ fields: { action: 'delete', id }, label: t.users.deleteUser, warning: t.users.deleteUserWarning, confirm: t.common.confirmDelete })}
      </div>
    </li>
  `
}
