// Ad slots.
import type { AdminLocale } from '../../components/admin/frame.ts'
import { buttonForm, choice, field, form, type RefusedForm, refusedOf } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { cards, listPage } from './list.ts'
import { backToList } from './page.ts'

type Slot = Schemas['AdSlot']

const TIERS = ['standard', 'premium', 'enterprise'] as const

const slotOf = ({ name = '', width, height }: Record<string, string>) => ({
  name,
  width: Number(width),
  height: Number(height),
})

export const slotsPage = listPage({
  area: 'slots',
  data: ({ api }, query) => api.get('/admin/ad-slots', { query }),
  view(locale, { adSlots, refused }) {
    const { admin: t } = locale.t
    const ofNew = refusedOf(refused, 'create')
    return {
      intro: html`
        <details class="card" open=${adSlots.length === 0 || ofNew !== undefined}>
          <summary><h2>${t.slots.newSlot}</h2></summary>
          ${form(t.common.create, { action: 'create' })`
            ${field({ name: 'location', label: t.slots.location, required: true, refused: ofNew })}
            ${choice({ name: 'tier', label: t.common.tier, refused: ofNew, options: TIERS.map((tier) => [tier, tier]) })}
            ${slotFields(locale, '', {}, ofNew)}
          `}
        </details>
      `,
      items: cards(adSlots.map((slot) => slotItem(locale, slot, refused?.form.id === slot.id ? refused : undefined))),
    }
  },
  async post(input) {
    const { api, form } = input
    const { id = '', action, location = '', tier } = form
    const path = { id }
    if (action === 'create') {
      await api.post('/admin/ad-slots', { body: { ...slotOf(form), location, tier: tier as 'standard' } })
      return backToList(input, 'slots', 'created')
    }
    if (action === 'delete') {
      await api.delete('/admin/ad-slots/{id}', { path })
      return backToList(input, 'slots', 'deleted')
    }
    const body = action === 'update' ? slotOf(form) : { isActive: action === 'activate' }
    await api.patch('/admin/ad-slots/{id}', { path, body })
    return backToList(input, 'slots', 'saved')
  },
})

function slotFields(locale: AdminLocale, id: string, slot: Partial<Slot>, refused: RefusedForm | undefined) {
  const { admin: t } = locale.t
  const pixels = { inputmode: 'numeric', pattern: '[0-9]+', required: true, refused }
  return html`
    ${field({ id: `name-${id}`, name: 'name', label: t.slots.name, value: slot.name, required: true, maxlength: 100, refused })}
    ${field({ id: `width-${id}`, name: 'width', label: t.slots.width, value: slot.width, ...pixels })}
    ${field({ id: `height-${id}`, name: 'height', label: t.slots.height, value: slot.height, ...pixels })}
  `
}

function slotItem(locale: AdminLocale, slot: Slot, refused: RefusedForm | undefined) {
  const { admin: t } = locale.t
  const { id, name, location, tier, width, height, isActive } = slot
  return html`
    <li class="card stack" key=${id}>
      <div class="row"><h2 dir="auto">${name}</h2>${isActive ? tag('good', t.slots.slotActive) : tag('warn', t.slots.slotInactive)}</div>
      <p class="facts wraps"><span>${location}</span><span>${tier}</span><span>${String(width)} × ${String(height)}</span></p>
      <details open=${refused?.form.action === 'update'}>
        <summary>${t.common.change}</summary>
        ${form(locale.t.forms.save, { action: 'update', id })`
          ${slotFields(locale, id, slot, refused)}
        `}
      </details>
      <div class="row top-aligned">
        ${buttonForm({ fields: { action: isActive ? 'deactivate' : 'activate', id }, label: isActive ? t.slots.deactivate : t.slots.activate })}
        ${confirmButton({ fields: { action: 'delete', id }, label: t.common.delete, warning: t.slots.deleteSlot, confirm: t.common.confirmDelete })}
      </div>
    </li>
  `
}
