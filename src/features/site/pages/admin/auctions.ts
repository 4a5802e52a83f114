// Ad slots and auctions.
import { type AdminAuctionData, adminAuctionView } from '../../components/admin/auction.ts'
import { type AdminAuctionsData, adminAuctionPath, adminAuctionsView } from '../../components/admin/auctions.ts'
import { adminPath } from '../../components/admin/frame.ts'
import { type SlotsData, slotsView } from '../../components/admin/slots.ts'
import { centsOf } from '../../components/money.ts'
import type { FormInput } from '../../page.ts'
import { adminPage, back, type Part } from './page.ts'

const slotOf = ({ name = '', width, height }: Record<string, string>) => ({
  name,
  width: Number(width),
  height: Number(height),
})

const slotsPage = adminPage<SlotsData>({
  path: '/admin/slots',
  title: 'slots',
  data: ({ api }, query) => api.get('/admin/ad-slots', { query }),
  view: slotsView,
  async post(input) {
    const { api, form } = input
    const { id = '', action, location = '', tier } = form
    const path = { id }
    if (action === 'create') {
      await api.post('/admin/ad-slots', { body: { ...slotOf(form), location, tier: tier as 'standard' } })
      return back(input, 'slots', 'created')
    }
    if (action === 'delete') {
      await api.delete('/admin/ad-slots/{id}', { path })
      return back(input, 'slots', 'deleted')
    }
    const body = action === 'update' ? slotOf(form) : { isActive: action === 'activate' }
    await api.patch('/admin/ad-slots/{id}', { path, body })
    return back(input, 'slots', 'saved')
  },
})

/** A time of a form, in UTC; as typed if it is none, which the API refuses. */
function instantOf(typed = ''): string {
  const time = new Date(`${typed}Z`)
  return Number.isNaN(time.getTime()) ? typed : time.toISOString()
}

const termsOf = ({ form }: FormInput<Part>) => ({
  title: form.title ?? '',
  ...(form.startsAt ? { startsAt: instantOf(form.startsAt) } : {}),
  endsAt: instantOf(form.endsAt),
  startingBid: centsOf(form.startingBid),
  minimumIncrement: centsOf(form.minimumIncrement),
  placementDays: Number(form.placementDays),
  ...(form.softCloseSeconds ? { softCloseSeconds: Number(form.softCloseSeconds) } : {}),
})

const adminAuctionsPage = adminPage<AdminAuctionsData>({
  path: '/admin/auctions',
  title: 'auctions',
  query: ['status'],
  async data({ api }, query) {
    const [list, { adSlots }] = await Promise.all([
      api.get('/admin/auctions', { query }),
      api.get('/admin/ad-slots', { query: { limit: 100 } }),
    ])
    return { ...list, slots: adSlots.filter(({ isActive }) => isActive) }
  },
  view: adminAuctionsView,
  async post(input) {
    const body = { ...termsOf(input), slotId: input.form.slotId ?? '' }
    const { id } = await input.api.post('/admin/auctions', { body })
    return input.locale.href(adminAuctionPath(id), { done: 'created' })
  },
})

const adminAuctionPage = adminPage<AdminAuctionData>({
  path: '/admin/auctions/{id}',
  title: ({ auction }) => auction.title,
  async data({ api, params: { id = '' } }) {
    const path = { id }
    const auction = await api.get('/admin/auctions/{id}', { path })
    const { bids } = await api.get('/auctions/{id}', { path })
    return { auction, bids }
  },
  view: adminAuctionView,
  async post(input) {
    const { api, locale, form } = input
    const path = { id: input.params.id ?? '' }
    const there = (done: string) => locale.href(adminAuctionPath(path.id), { done })
    if (form.action === 'delete') {
      await api.delete('/admin/auctions/{id}', { path })
      return locale.href(adminPath('auctions'), { done: 'deleted' })
    }
    if (form.action === 'void') {
      const { bidId = '', reason } = form
      await api.post('/admin/auctions/{id}/bids/{bidId}/void', {
        path: { ...path, bidId },
        body: reason ? { reason } : {},
      })
      return there('voided')
    }
    const isCancel = form.action === 'cancel'
    await api.patch('/admin/auctions/{id}', { path, body: isCancel ? { status: 'canceled' } : termsOf(input) })
    return there(isCancel ? 'canceled' : 'saved')
  },
})

export const AUCTIONS_ADMIN_PAGES = [slotsPage, adminAuctionsPage, adminAuctionPage]
