// Voiding votes: what selected votes would change, voiding them for a reason, and the list of voidings.
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { VOTE_CRITERIA } from '../../../votes/index.ts'
import { type AdminLocale, adminFrame } from '../../components/admin/frame.ts'
import { buttonForm, field, type RefusedForm, refusal, refusedOf } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { languageField, pager, table } from '../../components/lists.ts'
import { card, tag, time } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { pageOf } from '../../page.ts'
import { choiceFilter, flagFilter, targetLink, textFilter } from './list.ts'
import { adminPage } from './page.ts'

type Query = Record<string, string>

interface Data {
  /** Undefined until votes are selected. */
  preview: Schemas['VotePreview'] | undefined
  list: { voidings: Schemas['VoteVoiding'][]; pagination: Schemas['Pagination'] }
}

/** The parameters of `previewVoteVoiding`, from the page's address. */
const selectionOf = (query: Query) =>
  withoutUndefined(Object.fromEntries(VOTE_CRITERIA.map((name) => [name, query[name]])))

/** Converts the same selection to the body of `voidVotes`. */
function bodyOf(form: Query): Omit<Schemas['VoteSelection'], 'reason'> {
  const number = (text: string | undefined) => (text ? Number(text) : undefined)
  const only = (text: string | undefined): true | undefined => (text === 'true' ? true : undefined)
  const { serverId, networks, from, until, name } = form
  return withoutUndefined({
    serverId,
    networks,
    from,
    until,
    name,
    networkOwner: number(form.networkOwner),
    maxVisitorAge: number(form.maxVisitorAge),
    hosting: only(form.hosting),
    seenOnce: only(form.seenOnce),
    fromPage: form.fromPage ? form.fromPage === 'true' : undefined,
  })
}

export const voidingPage = adminPage<Data, '/admin/votes/void'>({
  path: '/admin/votes/void',
  access: 'moderator',
  query: [...VOTE_CRITERIA],
  async data({ api, query }) {
    const selection = selectionOf(query)
    const [preview, list] = await Promise.all([
      Object.keys(selection).length > 0 ? api.get('/admin/votes/preview', { query: selection }) : undefined,
      api.get('/admin/votes/voidings', { query: pageOf(query) }),
    ])
    return { preview, list }
  },
  title: ({ t }) => t.admin.voiding.title,
  view(locale, data) {
    const { voiding: t } = locale.t.admin
    const { query, preview, list, refused } = data
    return adminFrame(
      locale,
      'votes',
      data,
      t.title,
      html`
        <p class="quiet">${t.lead}</p>
        ${selectionForm(locale, query)}
        ${preview && previewCard(locale, query, preview, refused)}
        <h2>${t.voidings}</h2>
        ${refusal(locale, refusedOf(refused, 'restore'))}
        ${
          list.voidings.length === 0
            ? html`<p class="empty">${locale.t.admin.common.none}</p>`
            : html`<ul class="stack">${list.voidings.map((voiding) => voidingItem(locale, voiding, data.now))}</ul>`
        }
        ${pager(locale, list.pagination, (page) => locale.href('/admin/votes/void', { ...query, done: undefined, page }))}
      `,
    )
  },
  async post({ api, form: sent, locale }) {
    const { action, id = '', reason = '' } = sent
    if (action === 'restore') await api.post('/admin/votes/voidings/{id}/restore', { path: { id } })
    else await api.post('/admin/votes/void', { body: { ...bodyOf(sent), reason } })
    return locale.href('/admin/votes/void', { done: action === 'restore' ? 'restoring' : 'voiding' })
  },
})

function selectionForm(locale: AdminLocale, query: Query) {
  const { voiding: t } = locale.t.admin
  return html`
    <form class="row filter" method="get" action="/admin/votes/void">
      ${languageField(locale)}
      ${textFilter(query, 'serverId', t.server)} ${textFilter(query, 'networks', t.networkKeys)}
      ${textFilter(query, 'networkOwner', t.networkOwner, 'number')}
      ${onlyFilter(locale, query, 'hosting', t.hosting)}
      ${textFilter(query, 'from', t.from)} ${textFilter(query, 'until', t.until)}
      ${textFilter(query, 'name', t.name)} ${textFilter(query, 'maxVisitorAge', t.maxVisitorAge, 'number')}
      ${onlyFilter(locale, query, 'seenOnce', t.seenOnce)} ${flagFilter(locale, query, 'fromPage', t.fromPage)}
      <button type="submit" class="quiet-button">${t.show}</button>
    </form>
    <p class="hint">${t.hint}</p>
  `
}

const serversOf = (locale: AdminLocale, n: number) => locale.say(locale.t.common.servers, { n })

const onlyFilter = ({ t: { admin: t } }: AdminLocale, query: Query, name: string, label: string) =>
  choiceFilter(query, name, label, [
    ['', t.common.any],
    ['true', t.common.yes],
  ])

function previewCard(
  locale: AdminLocale,
  query: Query,
  preview: Schemas['VotePreview'],
  refused: RefusedForm | undefined,
) {
  const { voiding: t } = locale.t.admin
  const ofVoid = refusedOf(refused, 'void')
  const { votes, servers, voters, until, changes, networks } = preview
  // The end of the preview: a vote that arrives later is not voided.
  const fields = { ...selectionOf(query), until }
  return card(t.effect)`
    <p>${locale.say(t.selected, { n: votes, servers: serversOf(locale, servers), voters: locale.say(t.voters, { n: voters }) })}</p>
    ${
      changes.length > 0 &&
      table(
        t.effect,
        [locale.t.admin.common.server, t.selectedVotes, t.total, t.month, t.ofMonth, t.place],
        changes.flatMap((change) => changeRows(locale, change)),
      )
    }
    ${
      networks.length > 0 &&
      html`<details><summary>${t.networks}</summary>${table(
        t.networks,
        [t.network, t.networkOwner, t.selectedVotes],
        networks.map(
          ({ network, networkOwner, provider, votes: count }) => html`<tr key=${network}>
            <th scope="row"><a href=${locale.href('/admin/votes/void', { ...query, networks: network })}><code>${network}</code></a></th>
            <td>${networkOwner !== null && html`AS${networkOwner} `}${provider}</td><td class="number">${locale.number(count)}</td>
          </tr>`,
        ),
      )}</details>`
    }
    ${refusal(locale, ofVoid)}
    ${
      votes > 0 &&
      confirmButton({
        fields: { action: 'void', ...fields },
        label: locale.say(t.void, { n: votes }),
        warning: t.warning,
        confirm: t.confirm,
        isOpen: ofVoid !== undefined,
        asks: voidingReason(locale, ofVoid),
      })
    }
  `
}

export const voidingReason = ({ t: { admin } }: AdminLocale, refused: RefusedForm | undefined) => {
  const { reason: label, reasonHint: hint } = admin.voiding
  return html`<div class="form">${field({ name: 'reason', label, hint, refused, required: true, minlength: 3, maxlength: 500 })}</div>`
}

function changeRows(locale: AdminLocale, change: Schemas['ServerBeforeVoiding']) {
  const { serverId, serverName, votes, totalBefore, totalAfter, months } = change
  const fromTo = (before: number | null, after: number | null, sign = '') => {
    const show = (value: number | null) => (value === null ? '–' : `${sign}${locale.number(value)}`)
    return before === after ? show(before) : `${show(before)} → ${show(after)}`
  }
  return months.map(
    (month, nth) => html`<tr key=${`${serverId} ${month.month}`}>
      <th scope="row">${nth === 0 && targetLink(locale, 'servers', serverId, serverName)}</th>
      <td class="number">${locale.number(nth === 0 ? votes : month.votes)}</td>
      <td class="number">${nth === 0 && fromTo(totalBefore, totalAfter)}</td>
      <td>${locale.month(month.month)}</td>
      <td class="number">${fromTo(month.votesBefore, month.votesAfter)}</td>
      <td class="number">${fromTo(month.placeBefore, month.placeAfter, '#')}</td>
    </tr>`,
  )
}

function voidingItem(locale: AdminLocale, voiding: Schemas['VoteVoiding'], now: number) {
  const { voiding: t } = locale.t.admin
  const { id, createdAt, createdByUsername, reason, selection, status, votes, servers, restorableUntil } = voiding
  const isRestorable = status === 'voided' && Date.parse(restorableUntil) > now
  return html`
    <li class="card stack" key=${id}>
      <div class="row"><h3>${locale.say(t.voided, { n: votes, servers: serversOf(locale, servers) })}</h3> ${tag(status === 'voided' || status === 'restored' ? '' : 'warn', t.statuses[status])}</div>
      <p dir="auto">${reason}</p>
      <p class="facts wraps"><span>${time(locale, createdAt)}</span><span><bdi>${createdByUsername}</bdi></span></p>
      <details><summary>${t.selection}</summary><pre class="json"><code>${JSON.stringify(selection, null, 2)}</code></pre></details>
      ${isRestorable && html`<div class="row">${buttonForm({ fields: { action: 'restore', id }, label: t.restore })} <span class="quiet">${t.restorableUntil} ${time(locale, restorableUntil)}</span></div>`}
    </li>
  `
}

/** @param selection the criteria that the page begins with */
export const voidingLink = (locale: AdminLocale, label: string, selection: Schemas['VoteSelection'] = {}) => {
  const query = Object.fromEntries(Object.entries(selection).map(([name, value]) => [name, String(value)]))
  return html`<a class="button quiet-button" href=${locale.href('/admin/votes/void', query)}>${label}</a>`
}
