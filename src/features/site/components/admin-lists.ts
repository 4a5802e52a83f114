// The administrators' lists: reports, messages, servers, accounts, sources of votes, and the audit log.
import {
  type AdminLocale,
  type AdminPage,
  type Area,
  adminFrame,
  adminPath,
  at,
  choiceFilter,
  filterForm,
  flagFilter,
  headings,
  json,
  type Pagination,
  pageHref,
  type Query,
  scrolling,
  textFilter,
  userLink,
} from './admin.ts'
import { area, buttonForm, careful, hiddenFields, pager } from './forms.ts'
import { type Content, html } from './html.ts'
import { serverPath } from './server-row.ts'
import type { Schemas } from './types.ts'

interface List extends AdminPage {
  pagination: Pagination
  /** Epoch ms. */
  now: number
}

/** A list with its filters, number of entries and pages. */
function list(
  locale: AdminLocale,
  area: Area,
  data: List,
  { filters = null, intro = null, items }: { filters?: Content; intro?: Content; items: Content },
) {
  const { admin: t } = locale.t
  const { pagination, query } = data
  return adminFrame(
    locale,
    area,
    data,
    t.areas[area],
    html`
      ${intro} ${filters && filterForm(locale, area, filters)}
      <p class="quiet" role="status">${locale.say(t.total, { n: pagination.total })}</p>
      ${pagination.total === 0 ? html`<p class="empty">${t.nothing}</p>` : items}
      ${pager(locale, pagination, pageHref(locale, area, query))}
    `,
  )
}

const cards = (items: Content) => html`<ul class="stack">${items}</ul>`

const serverAdminLink = (locale: AdminLocale, id: string, name: string) =>
  html`<a href=${locale.href(adminPath('servers'), { search: id })} dir="auto">${name}</a>`

export interface ReportsData extends List {
  reports: Schemas['AdminReport'][]
}

const STATUSES = ['open', 'resolved', 'dismissed', 'all'] as const
const REASONS = ['offline', 'spam', 'abuse', 'misleading', 'other'] as const

export function reportsView(locale: AdminLocale, data: ReportsData) {
  const { admin: t } = locale.t
  const { query, reports, now } = data
  return list(locale, 'reports', data, {
    filters: [
      choiceFilter(
        { status: 'open', ...query },
        'status',
        t.status,
        STATUSES.map((status) => [status, t.statuses[status]]),
      ),
      choiceFilter(query, 'reason', t.reason, [
        ['', t.any],
        ...REASONS.map((reason) => [reason, t.reasons[reason]] as const),
      ]),
    ],
    items: cards(reports.map((report) => reportItem(locale, report, now))),
  })
}

function reportItem(locale: AdminLocale, report: Schemas['AdminReport'], now: number) {
  const { admin: t } = locale.t
  const { id, serverId, serverName, isListed, reporterId, reporterUsername, reason, details, status, note, createdAt } =
    report
  const decision = (to: string, label: string, look = 'quiet-button') =>
    html`<button class=${look} name="status" value=${to}>${label}</button>`
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        <h2>${isListed ? html`<a href=${locale.href(serverPath(serverId))} dir="auto">${serverName}</a>` : html`<span dir="auto">${serverName}</span>`}</h2>
        <span class="tag is-warn">${t.reasons[reason]}</span>
        ${status !== 'open' && html`<span class="tag">${t.statuses[status]}</span>`}
        ${!isListed && html`<span class="tag">${t.notListed}</span>`}
      </div>
      <p class="quiet">
        ${reporterId ? userLink(locale, reporterId, locale.say(t.by, { name: reporterUsername })) : locale.say(t.by, { name: t.deletedAccount })},
        ${' '}<time datetime=${createdAt} title=${locale.time(createdAt)}>${locale.relative(createdAt, now)}</time>
      </p>
      ${details && html`<p class="prose" dir="auto">${details}</p>`}
      <form method="post" class="stack">
        ${hiddenFields({ action: 'decide', id })}
        ${area({ id: `note-${id}`, name: 'note', label: t.note, value: note, rows: 2, maxlength: 1000 })}
        <div class="row">
          ${status === 'open' ? [decision('resolved', t.resolve, ''), decision('dismissed', t.dismiss)] : decision('open', t.reopen)}
          <a class="button quiet-button" href=${locale.href(adminPath('servers'), { search: serverId })}>${t.moderate}</a>
        </div>
      </form>
      ${careful({ fields: { action: 'delete', id }, label: t.delete, warning: t.deleteReport, confirm: t.confirmDelete })}
    </li>
  `
}

export interface ContactData extends List {
  messages: Schemas['ContactMessage'][]
}

export function contactView(locale: AdminLocale, data: ContactData) {
  const { admin: t } = locale.t
  return list(locale, 'contact', data, {
    filters: flagFilter(locale, data.query, 'suspect', t.suspect),
    items: cards(
      data.messages.map(
        ({ id, name, email, subject, message, isSuspect, createdAt }) => html`
          <li class="card stack" key=${id}>
            <div class="row"><h2 dir="auto">${subject || t.noSubject}</h2>${isSuspect && html`<span class="tag is-warn">${t.suspect}</span>`}</div>
            <p class="quiet">
              <span dir="auto">${name}</span>, <a href=${`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`}>${email}</a>,
              ${' '}<time datetime=${createdAt} title=${locale.time(createdAt)}>${locale.relative(createdAt, data.now)}</time>
            </p>
            <p class="prose" dir="auto">${message}</p>
            ${careful({ fields: { action: 'delete', id }, label: t.delete, warning: t.deleteMessage, confirm: t.confirmDelete })}
          </li>
        `,
      ),
    ),
  })
}

export interface ServersData extends List {
  servers: Schemas['AdminServer'][]
}

export function serversView(locale: AdminLocale, data: ServersData) {
  const { admin: t } = locale.t
  const { query } = data
  return list(locale, 'servers', data, {
    filters: [
      textFilter(query, 'search', t.search),
      flagFilter(locale, query, 'hidden', t.hidden),
      flagFilter(locale, query, 'verified', t.verified),
      flagFilter(locale, query, 'online', t.online),
      choiceFilter(query, 'owner', t.owner, [
        ['', t.any],
        ['none', t.noOwner],
        ...(query.owner && query.owner !== 'none' ? [[query.owner, query.owner] as const] : []),
      ]),
    ],
    items: cards(data.servers.map((server) => serverItem(locale, server, data.now))),
  })
}

function serverItem(locale: AdminLocale, server: Schemas['AdminServer'], now: number) {
  const { admin: t } = locale.t
  const { id, name, game, ipAddress, gamePort, ownerId, ownerUsername, isVerified, isFeatured, hiddenAt, isOnline } =
    server
  const { consecutiveFailures, lastPolledAt, totalVotes, currentPlayers, maxPlayers } = server
  const turn = (field: string, to: boolean, label: string) =>
    buttonForm({ fields: { action: 'set', id, field, to: String(to) }, label })
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        <h2>${hiddenAt === null ? html`<a href=${locale.href(serverPath(id))} dir="auto">${name}</a>` : html`<span dir="auto">${name}</span>`}</h2>
        <span class="tag ${isOnline ? 'is-good' : ''}">${isOnline ? t.online : t.offline}</span>
        ${hiddenAt !== null && html`<span class="tag is-bad">${t.hidden}</span>`}
        ${isVerified && html`<span class="tag">${t.verified}</span>`}
        ${isFeatured && html`<span class="tag">${t.featured}</span>`}
      </div>
      <p class="facts wraps">
        <span>${game}</span><span><code>${ipAddress}:${String(gamePort)}</code></span>
        <span>${locale.say(locale.t.common.playersOf, { n: currentPlayers, max: maxPlayers })}</span>
        <span>${locale.say(locale.t.common.votes, { n: totalVotes })}</span>
        <span>${ownerId ? userLink(locale, ownerId, ownerUsername) : t.noOwner}</span>
        <span>${locale.say(t.lastPolled, { time: lastPolledAt ? locale.relative(lastPolledAt, now) : t.never })}</span>
        ${consecutiveFailures > 0 && html`<span>${locale.say(t.failures, { n: consecutiveFailures })}</span>`}
      </p>
      <div class="row">
        ${hiddenAt === null ? turn('hidden', true, t.hide) : turn('hidden', false, t.restore)}
        ${isVerified ? turn('isVerified', false, t.unverify) : turn('isVerified', true, t.verify)}
        ${isFeatured ? turn('isFeatured', false, t.unfeature) : turn('isFeatured', true, t.feature)}
        <a class="button quiet-button" href=${locale.href(adminPath('audit'), { targetId: id })}>${t.showAudit}</a>
      </div>
      <details>
        <summary>${t.setOwner}</summary>
        <form method="post" class="row">
          ${hiddenFields({ action: 'owner', id })}
          <label class="grow">${t.ownerId} <input name="ownerId" value=${ownerId ?? ''} autocomplete="off" /></label>
          <button class="quiet-button">${t.setOwner}</button>
        </form>
      </details>
      ${careful({ fields: { action: 'delete', id }, label: t.removeServer, warning: t.removeServerWarning, confirm: t.confirmRemoveServer })}
    </li>
  `
}

export interface UsersData extends List {
  users: Schemas['AdminUser'][]
}

const TIERS = ['free', 'standard', 'premium', 'enterprise'] as const

export function usersView(locale: AdminLocale, data: UsersData) {
  const { admin: t } = locale.t
  const { query } = data
  return list(locale, 'users', data, {
    filters: [
      textFilter(query, 'search', t.search),
      flagFilter(locale, query, 'banned', t.stats.banned),
      flagFilter(locale, query, 'admin', t.isAdmin),
    ],
    items: cards(data.users.map((user) => userItem(locale, user))),
  })
}

function userItem(locale: AdminLocale, user: Schemas['AdminUser']) {
  const { admin: t } = locale.t
  const { id, username, email, emailVerified, isAdmin, tier, bannedAt, sessions, apiKeys, ownedServers, createdAt } =
    user
  return html`
    <li class="card stack" key=${id}>
      <div class="row">
        <h2 dir="auto">${username}</h2>
        <span class="tag">${tier}</span>
        ${isAdmin && html`<span class="tag is-warn">${t.isAdmin}</span>`}
        ${bannedAt !== null && html`<span class="tag is-bad">${locale.say(t.isBanned, { time: locale.date(bannedAt) })}</span>`}
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
        <a class="button quiet-button" href=${locale.href(adminPath('audit'), { actorId: id })}>${t.audited}</a>
        <a class="button quiet-button" href=${locale.href(adminPath('audit'), { targetId: id })}>${t.showAudit}</a>
      </div>
      <div class="row top-aligned">
        ${
          bannedAt === null
            ? careful({ fields: { action: 'ban', id }, label: t.ban, warning: t.banWarning, confirm: t.confirmBan })
            : buttonForm({ fields: { action: 'unban', id }, label: t.unban })
        }
        ${
          isAdmin
            ? buttonForm({ fields: { action: 'demote', id }, label: t.demote })
            : careful({
                fields: { action: 'promote', id },
                label: t.makeAdmin,
                warning: t.makeAdminWarning,
                confirm: t.confirmAdmin,
              })
        }
        ${careful({ fields: { action: 'delete', id }, label: t.deleteUser, warning: t.deleteUserWarning, confirm: t.confirmDelete })}
      </div>
    </li>
  `
}

export interface VotesData extends List {
  servers: Schemas['ServerVoteNetworks'][]
}

export function votesView(locale: AdminLocale, data: VotesData) {
  const { admin: t } = locale.t
  return list(locale, 'votes', data, {
    intro: html`<p class="quiet">${t.votesIntro}</p>`,
    filters: textFilter({ minVotes: '20', ...data.query }, 'minVotes', t.minVotes, 'number'),
    items: scrolling(
      t.areas.votes,
      html`<table>
        ${headings(t.areas.servers, t.votes, t.networks, t.topNetwork, t.ownerVotes)}
        <tbody>
          ${data.servers.map(
            ({ id, name, votes, networks, topNetworkShare, ownerVotes }) => html`<tr key=${id}>
              <th scope="row">${serverAdminLink(locale, id, name)}</th>
              <td class="number">${locale.number(votes)}</td><td class="number">${locale.number(networks)}</td>
              <td class="number">${locale.percent(topNetworkShare)}</td><td class="number">${locale.number(ownerVotes)}</td>
            </tr>`,
          )}
        </tbody>
      </table>`,
    ),
  })
}

export interface AuditData extends List {
  entries: Schemas['AuditRecord'][]
}

export function auditView(locale: AdminLocale, data: AuditData) {
  const { admin: t } = locale.t
  const { query } = data
  return list(locale, 'audit', data, {
    filters: [
      textFilter(query, 'action', t.action),
      textFilter(query, 'actorId', t.actor),
      textFilter(query, 'targetId', t.target),
    ],
    items: scrolling(
      t.areas.audit,
      html`<table class="audit">
        ${headings(t.time, t.action, t.by.replace('{name}', '').trim(), t.target, t.details)}
        <tbody>
          ${data.entries.map((entry) => auditRow(locale, entry, query))}
        </tbody>
      </table>`,
    ),
  })
}

/** Lists that find an audited target by its id. */
const TARGETS: Record<string, Area> = { server: 'servers', user: 'users' }

function auditRow(locale: AdminLocale, entry: Schemas['AuditRecord'], query: Query) {
  const { id, action, actorId, actorUsername, targetType, targetId, details } = entry
  const area = TARGETS[targetType]
  const filtered = (change: Query) => locale.href(adminPath('audit'), { ...query, page: '', ...change })
  return html`
    <tr key=${id}>
      <td>${at(locale, entry.at)}</td>
      <td><a href=${filtered({ action })}>${action}</a></td>
      <td>${userLink(locale, actorId, actorUsername || locale.t.admin.deletedAccount)}</td>
      <td>
        ${targetType} ${area && html`<a href=${locale.href(adminPath(area), { search: targetId })}><code>${targetId}</code></a>`}
        ${!area && html`<a href=${filtered({ targetId })}><code>${targetId}</code></a>`}
      </td>
      <td>${Object.keys(details).length > 0 && html`<details><summary>${locale.t.admin.details}</summary>${json(details)}</details>`}</td>
    </tr>
  `
}
