// Wipes.
import { area, buttonForm, choice, field, form } from '../fields.ts'
import { saved } from '../forms.ts'
import { html } from '../html.ts'
import { pager } from '../lists.ts'
import { card, lines } from '../parts.ts'
import { refusal } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import { around, type OfServer, type OwnerLocale, ownerPath } from './frame.ts'

export interface WipesData extends OfServer {
  /** Undefined if the server is not listed. */
  list: { wipes: Schemas['Wipe'][]; pagination: Schemas['Pagination'] } | undefined
}

export function wipesView(locale: OwnerLocale, data: WipesData) {
  const { wipes: texts } = locale.t.owner
  const { server, list, refused } = data
  const kinds = (['full', 'map', 'partial'] as const).map((kind) => [kind, texts.kinds[kind]] as const)
  const wiped = ({ id, wipedAt, kind, note, source }: Schemas['Wipe']) => html`
    <li class="row spread">
      <div class="grow"><b>${locale.time(wipedAt)}</b> · ${texts.kinds[kind]} <span class="hint">${texts.sources[source]}</span>${note && html`<p dir="auto">${note}</p>`}</div>
      ${buttonForm({ fields: { action: 'remove', id }, label: html`${texts.remove}<span class="visually-hidden"> ${locale.time(wipedAt)}</span>` })}
    </li>
  `
  return around(locale, server, 'wipes', [
    card(texts.title)`
      <p class="quiet">${texts.lead}</p>
      ${saved(locale, data.saved)}
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
        ${choice({ name: 'kind', label: texts.kind, value: 'full', refused, options: kinds })}
        ${field({ name: 'wipedAt', label: texts.at, hint: texts.atHint, refused, type: 'datetime-local' })}
        ${area({ name: 'note', label: texts.note, refused, maxlength: 500 })}
      `}
    `,
  ])
}
