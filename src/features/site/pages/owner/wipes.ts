// Wipes.
import { area, buttonForm, choice, field, form, refusal } from '../../components/fields.ts'
import { savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { card, lines } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { given } from '../../form.ts'
import { ifListed, pageOf } from '../../page.ts'
import { ownerPage } from './page.ts'

export const wipesPage = ownerPage({
  tab: 'wipes',
  query: ['page'],
  async data({ api, params, query }) {
    return { list: await ifListed(api.get('/servers/{id}/wipe-history', { path: params, query: pageOf(query) })) }
  },
  view(locale, data) {
    const { wipes: texts } = locale.t.owner
    const { server, list, refused } = data
    const wiped = ({ id, wipedAt, kind, note, source }: Schemas['Wipe']) => html`
      <li class="row spread">
        <div class="grow"><b>${locale.time(wipedAt)}</b> · ${texts.kinds[kind]} <span class="hint">${texts.sources[source]}</span>${note && html`<p dir="auto">${note}</p>`}</div>
        ${buttonForm({ fields: { action: 'remove', id }, label: html`${texts.remove}<span class="visually-hidden"> ${locale.time(wipedAt)}</span>` })}
      </li>
    `
    return [
      card(texts.title)`
        <p class="quiet">${texts.lead}</p>
        ${savedNotice(locale, data.saved)}
        ${
          list
            ? [
                lines(list.wipes.map(wiped), texts.none),
                pager(locale, list.pagination, (page) => locale.href(ownerPath(server.id, 'wipes'), { page })),
              ]
            : html`<p>${texts.unlisted}</p>`
        }
      `,
      card(texts.add)`
        ${refusal(locale, refused)}
        ${form(texts.add, { action: 'add' })`
          ${choice({ name: 'kind', label: texts.kind, value: 'full', refused, options: Object.entries(texts.kinds) })}
          ${field({ name: 'wipedAt', label: texts.at, hint: texts.atHint, refused, type: 'datetime-local' })}
          ${area({ name: 'note', label: texts.note, refused, maxlength: 500 })}
        `}
      `,
    ]
  },
  async post({ api, form, params, locale }) {
    const { action, id: wipeId = '', note = '' } = form
    const { id } = params
    if (action === 'remove') await api.delete('/servers/{id}/wipe-history/{wipeId}', { path: { id, wipeId } })
    else {
      const kind = form.kind as 'full'
      // The field has no time zone; seconds only if they were typed.
      const wipedAt = form.wipedAt && `${form.wipedAt.length > 16 ? form.wipedAt : `${form.wipedAt}:00`}Z`
      const body = { kind, note, ...given({ wipedAt: wipedAt || undefined }) }
      await api.post('/servers/{id}/wipe-history', { path: params, body })
    }
    return locale.href(ownerPath(id, 'wipes'), { saved: action })
  },
})
