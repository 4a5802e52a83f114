// The wipes of a server.

import type { ZodType } from 'zod'
import { validationFailed } from '../../../../platform/http/errors.ts'
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { listingFields } from '../../../servers/index.ts'
import { area, buttonForm, choice, field, form, refusal, refusedOf } from '../../components/fields.ts'
import { savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { type OwnerLocale, type OwnerTabData, ownerPath } from '../../components/owner/frame.ts'
import { card, lines } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { atFields } from '../../form.ts'
import { ifFound, pageOf } from '../../page.ts'
import { ownerPage } from './page.ts'

export const wipesPage = ownerPage({
  tab: 'wipes',
  query: ['page'],
  async data({ api, params, query }) {
    return { list: await ifFound(api.get('/servers/{id}/wipe-history', { path: params, query: pageOf(query) })) }
  },
  view(locale, data) {
    const { wipes: texts } = locale.t.owner
    const { server, list, refused } = data
    const ofAdding = refusedOf(refused, 'add')
    const wiped = ({ id, wipedAt, kind, note, source }: Schemas['Wipe']) => html`
      <li class="row spread">
        <div class="grow"><b>${locale.time(wipedAt)}</b> · ${texts.kinds[kind]} <span class="hint">${texts.sources[source]}</span>${note && html`<p dir="auto">${note}</p>`}</div>
        ${buttonForm({ fields: { action: 'remove', id }, label: html`${texts.remove}<span class="visually-hidden"> ${locale.time(wipedAt)}</span>` })}
      </li>
    `
    return [
      card(texts.title)`
        <p class="quiet">${texts.lead}</p>
        ${savedNotice(locale, data.saved === 'remove')}
        ${
          list
            ? [
                lines(list.wipes.map(wiped), texts.none),
                pager(locale, list.pagination, (page) => locale.href(ownerPath(server.id, 'wipes'), { page })),
              ]
            : html`<p>${texts.unlisted}</p>`
        }
      `,
      card(texts.schedule)`
        <p class="quiet">${texts.scheduleLead}${server.nextWipeAt && html` <b>${locale.time(server.nextWipeAt)}</b>`}</p>
        ${savedNotice(locale, data.saved === 'schedule')} ${refusal(locale, refusedOf(refused, 'schedule'))}
        ${scheduleForm(locale, data)}
      `,
      card(texts.add)`
        ${savedNotice(locale, data.saved === 'add')} ${refusal(locale, ofAdding)}
        ${form(texts.add, { action: 'add' })`
          ${choice({ name: 'kind', label: texts.kind, value: 'full', refused: ofAdding, options: Object.entries(texts.kinds) })}
          ${field({ name: 'wipedAt', label: texts.at, hint: texts.atHint, refused: ofAdding, type: 'datetime-local' })}
          ${area({ name: 'note', label: texts.note, refused: ofAdding, maxlength: 500 })}
        `}
      `,
    ]
  },
  async post({ api, form, params, locale }) {
    const { action, id: wipeId = '', note = '' } = form
    const { id } = params
    if (action === 'schedule')
      await api.patch('/servers/{id}', { path: { id }, body: { wipeSchedule: scheduleOf(form) } }).catch((error) => {
        throw atFields(error, { wipeSchedule: 'timeZone' }) // PostgreSQL may not know the time zone
      })
    else if (action === 'remove') await api.delete('/servers/{id}/wipe-history/{wipeId}', { path: { id, wipeId } })
    else {
      const kind = form.kind as 'full'
      const wipedAt = form.wipedAt && inUtc(form.wipedAt)
      const body = { kind, note, ...withoutUndefined({ wipedAt: wipedAt || undefined }) }
      await api.post('/servers/{id}/wipe-history', { path: params, body })
    }
    return locale.href(ownerPath(id, 'wipes'), { saved: action })
  },
})

/** A time of the field, which has no time zone, and seconds only if they were typed. */
const inUtc = (typed: string) => `${typed.length > 16 ? typed : `${typed}:00`}Z`

function scheduleForm(locale: OwnerLocale, { server: { wipeSchedule }, refused: all }: OwnerTabData) {
  const { wipes: texts } = locale.t.owner
  const refused = refusedOf(all, 'schedule')
  const weekly = wipeSchedule && 'weekday' in wipeSchedule ? wipeSchedule : undefined
  const at = wipeSchedule && 'at' in wipeSchedule ? new Date(wipeSchedule.at).toISOString().slice(0, 16) : ''
  return form(texts.save, { action: 'schedule' })`
    ${choice({ name: 'weekday', label: texts.weekday, value: weekly?.weekday ?? (at && 'once'), refused, options: Object.entries(texts.weekdays) })}
    ${field({ name: 'time', label: texts.time, hint: texts.timeHint, value: weekly?.time, refused, type: 'time' })}
    ${field({ name: 'timeZone', label: texts.timeZone, hint: texts.timeZoneHint, value: weekly?.timeZone ?? 'UTC', refused, maxlength: 50 })}
    ${field({ name: 'at', label: texts.onceAt, hint: texts.onceHint, value: at, refused, type: 'datetime-local' })}
  `
}

/** @throws ApiError 400 with the problems of each field: the API reports them for the whole schedule only */
function scheduleOf({ weekday = '', time = '', timeZone = '', at = '' }: Record<string, string>) {
  if (weekday === '') return null
  const [weekly, once] = listingFields.wipeSchedule.options
  if (weekday === 'once') return whole(once, { at: at && inUtc(at) })
  return whole(weekly, { weekday: weekday as 'monday', time: time.slice(0, 5), timeZone })
}

function whole<Schedule extends Record<string, string>>(schema: ZodType, schedule: Schedule): Schedule {
  const { error } = schema.safeParse(schedule)
  if (!error) return schedule
  throw validationFailed(
    error.issues.map(({ path: [name], message }) => ({
      path: `body.${String(name)}`,
      message: schedule[String(name)] ? message : 'is required',
    })),
  )
}
