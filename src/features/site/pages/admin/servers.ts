// All servers, also hidden ones: as a table, or all details of one that was searched by its id.
import { withPort } from '../../../../platform/public-address.ts'
import { faceControls } from '../../components/admin/faces.ts'
import { type AdminLocale, adminPath } from '../../components/admin/frame.ts'
import { buttonForm, field, form, refusedOf } from '../../components/fields.ts'
import { confirmButton, typedBefore } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { listOf } from '../../form.ts'
import type { FormInput } from '../../page.ts'
import { IMPORT_PATH } from './import.ts'
import { accountLink, auditLink, cards, choiceFilter, flagFilter, listedName, listPage, textFilter } from './list.ts'
import { backToList, type Part, type Shared } from './page.ts'
import { serverTable, stateTag } from './server-table.ts'

/** Rows of a page. */
const PAGE = 50
const FACE_LOCK = '/admin/servers/{id}/faces/{kind}/lock'

type Page = Shared & { typed: Record<string, string> }

export const adminServersPage = listPage({
  area: 'servers',
  isWide: true,
  query: ['search', 'owner', 'hidden', 'verified', 'online'],
  kept: ['ownerId'],
  script: 'admin-servers.ts',
  embedded: () => ({}),
  async data({ api, typed }, query) {
    return { ...(await api.get('/admin/servers', { query: { ...query, limit: PAGE } })), typed }
  },
  view(locale, { servers, ...page }) {
    const { query } = page
    const { admin: t } = locale.t
    const { done: _done, n: _n, page: _page, ...filters } = query
    const [first] = servers
    const chosen = first?.id === query.search ? first : undefined
    return {
      intro:
        page.isAdmin &&
        html`
        <div class="row">
          <a class="button quiet-button" href=${locale.href(IMPORT_PATH)}>${t.files.import}</a>
          <a class="button quiet-button" href=${`/api/admin/servers/export?${new URLSearchParams(filters)}`} download="servers.csv">${t.files.export}</a>
        </div>
      `,
      filters: [
        textFilter(query, 'search', t.common.search),
        flagFilter(locale, query, 'hidden', t.servers.hidden),
        flagFilter(locale, query, 'verified', t.servers.verified),
        flagFilter(locale, query, 'online', t.servers.online),
        choiceFilter(query, 'owner', t.servers.owner, [
          ['', t.common.any],
          ['none', t.servers.noOwner],
          ...(query.owner && query.owner !== 'none' ? [[query.owner, query.owner] as const] : []),
        ]),
      ],
      items: chosen ? cards(serverItem(locale, chosen, page)) : serverTable(locale, servers, page),
    }
  },
  async post(input) {
    const { id = '', action, field = '', to, ownerId } = input.form
    const path = { id }
    if (action === 'bulk') return hideSelected(input, listOf(input.form.selected), to === 'true')
    if (action === 'delete') {
      await input.api.delete('/admin/servers/{id}', { path })
      return backToList(input, 'servers', 'deleted')
    }
    if (action === 'lockFace' || action === 'unlockFace') {
      const face = { id, kind: input.form.kind as 'logo' }
      if (action === 'unlockFace') await input.api.delete(FACE_LOCK, { path: face })
      else await input.api.post(FACE_LOCK, { path: face, body: { reason: input.form.reason ?? '' } })
      return backToList(input, 'servers', 'saved')
    }
    const body = action === 'owner' ? { ownerId: ownerId || null } : { [field]: to === 'true' }
    await input.api.patch('/admin/servers/{id}', { path, body })
    return backToList(input, 'servers', 'saved')
  },
})

async function hideSelected(input: FormInput<Part>, ids: string[], hidden: boolean): Promise<string> {
  const { reason = '' } = input.form
  const { changed } = await input.api.post('/admin/servers/hide', { body: { ids, hidden, reason } })
  const done = hidden ? 'hidden' : 'restored'
  return input.locale.href(adminPath('servers'), { ...input.query, done, n: String(changed) })
}

function serverItem(locale: AdminLocale, server: Schemas['AdminServer'], page: Page) {
  const { admin: t } = locale.t
  const { id, name, game, ownerId, ownerUsername, isVerified, isFeatured, hiddenAt, hiddenBy, isListed } = server
  const { consecutiveFailures, lastPolledAt, totalVotes, currentPlayers, maxPlayers } = server
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        ${listedName(locale, id, name, isListed)}
        ${stateTag(locale, server)}
        ${hiddenAt === null && !isListed && tag('', t.common.notListed)}
        ${isVerified && tag('', t.servers.verified)}
        ${isFeatured && tag('', t.servers.featured)}
      </div>
      <p class="facts wraps">
        <span>${game}</span><span><code>${withPort(server.ipAddress, server.gamePort)}</code></span>
        <span>${locale.say(locale.t.common.playersOf, { now: currentPlayers, n: maxPlayers })}</span>
        <span>${locale.say(locale.t.common.votes, { n: totalVotes })}</span>
        <span>${ownerId ? accountLink(locale, page, ownerId, ownerUsername) : t.servers.noOwner}</span>
        <span>${locale.say(t.servers.lastPolled, { time: lastPolledAt ? locale.relative(lastPolledAt, page.now) : t.common.never })}</span>
        ${consecutiveFailures > 0 && html`<span>${locale.say(t.servers.failures, { n: consecutiveFailures })}</span>`}
      </p>
      <div class="row">
        ${hiddenAt === null && toggleForm({ id, field: 'hidden', to: true, label: t.servers.hide })}
        ${page.isAdmin && hiddenBy === 'moderator' && toggleForm({ id, field: 'hidden', to: true, label: t.servers.keepHidden })}
        ${hiddenBy && (page.isAdmin || hiddenBy === 'moderator') && toggleForm({ id, field: 'hidden', to: false, label: t.servers.restore })}
        ${page.isAdmin && adminToggles(locale, server)}
      </div>
      ${faceControls(locale, server, page)}
      ${page.isAdmin && adminForms(locale, server, page)}
    </li>
  `
}

interface Toggle {
  id: string
  field: 'hidden' | 'isVerified' | 'isFeatured'
  to: boolean
  label: string
}

const toggleForm = ({ id, field, to, label }: Toggle) =>
  buttonForm({ fields: { action: 'set', id, field, to: String(to) }, label })

/** Buttons for administrators only. */
function adminToggles(locale: AdminLocale, { id, isVerified, isFeatured }: Schemas['AdminServer']) {
  const { admin: t } = locale.t
  return [
    toggleForm({ id, field: 'isVerified', to: !isVerified, label: isVerified ? t.servers.unverify : t.servers.verify }),
    toggleForm({
      id,
      field: 'isFeatured',
      to: !isFeatured,
      label: isFeatured ? t.servers.unfeature : t.servers.feature,
    }),
    auditLink(locale, { targetId: id }),
  ]
}

function adminForms(locale: AdminLocale, { id, ownerId }: Schemas['AdminServer'], { refused, typed }: Page) {
  const { admin: t } = locale.t
  const ofOwner = refusedOf(refused, 'owner') ?? typedBefore(typed)
  return html`
    <details open=${ofOwner !== undefined}>
      <summary>${t.servers.setOwner}</summary>
      ${form(t.servers.setOwner, { action: 'owner', id })`
        ${field({ name: 'ownerId', label: t.servers.ownerId, value: ownerId, refused: ofOwner, autocomplete: 'off' })}
      `}
    </details>
    ${confirmButton({ fields: { action: 'delete', id }, label: t.servers.removeServer, warning: t.servers.removeServerWarning, confirm: t.servers.confirmRemoveServer })}
  `
}
