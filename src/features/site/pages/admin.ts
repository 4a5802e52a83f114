// The administrators' pages.
import { type AdminLocale, type AdminPage, type Area, adminPath } from '../components/admin.ts'
import {
  type AdminAuctionData,
  type AdminAuctionsData,
  adminAuctionPath,
  adminAuctionsView,
  adminAuctionView,
  type SlotsData,
  slotsView,
} from '../components/admin-auctions.ts'
import {
  type AuditData,
  auditView,
  type ContactData,
  contactView,
  type ReportsData,
  reportsView,
  type ServersData,
  serversView,
  type UsersData,
  usersView,
  type VotesData,
  votesView,
} from '../components/admin-lists.ts'
import {
  type OverviewData,
  overviewView,
  type QueueData,
  queueView,
  readOverview,
} from '../components/admin-overview.ts'
import { centsOf } from '../components/money.ts'
import type { Schemas } from '../components/types.ts'
import { type FormInput, type PageDeclaration, type PageInput, page } from '../page.ts'

type Part = 'admin' | 'forms'
type Input = PageInput<Part>

/** Parameters of every page: of the list's page, and of what an action did. */
const COMMON = ['page', 'done', 'n']

/** A page of administrators, and of no search engine. */
const adminPage = <Data extends AdminPage>(
  declaration: Omit<PageDeclaration<Data, Part>, 'texts' | 'access' | 'head'>,
  title: (locale: AdminLocale, data: Data) => string,
) =>
  page<Data, Part>({
    ...declaration,
    texts: ['admin', 'forms'],
    access: 'admin',
    query: [...COMMON, ...(declaration.query ?? [])],
    head: (locale, data) => ({ title: title(locale, data), noindex: true }),
  })

const titleOf = (area: Area) => (locale: AdminLocale) => locale.t.admin.areas[area]

/** What every page shows, and the list's parameters as the API takes them. The API checks them. */
const shownOf = ({ query, refused }: Input) => ({ query, refused, now: Date.now() })
const filtersOf = ({ query: { done: _done, n: _n, ...filters } }: Input): object => filters

/** Back to the list with its filters. @param done of the texts */
const back = ({ locale, query }: Input, area: Area, done: string, n?: number) => {
  const { page: current, done: _done, n: _n, ...filters } = query
  return locale.href(adminPath(area), { ...filters, page: current, done, ...(n === undefined ? {} : { n: String(n) }) })
}

export const overviewPage = adminPage<OverviewData>(
  {
    path: '/admin',
    script: 'admin.ts',
    data: async (input) => ({ ...(await readOverview(input.api)), ...shownOf(input) }),
    view: overviewView,
  },
  ({ t: { admin } }) => admin.title,
)

export const queuePage = adminPage<QueueData>(
  {
    path: '/admin/queues/{name}',
    async data(input) {
      const { name = '' } = input.params
      const [{ jobs, pagination }, { queues }] = await Promise.all([
        input.api.get('/admin/queues/{name}/failed', { path: { name }, query: filtersOf(input) }),
        input.api.get('/admin/queues'),
      ])
      const queue = queues.find((one) => one.name === name) as Schemas['QueueState']
      const isDeadLetter = queues.some(({ deadLetter }) => deadLetter === name)
      return { ...shownOf(input), queue, isDeadLetter, jobs, pagination }
    },
    view: queueView,
    async post({ api, params: { name = '' }, form, locale }) {
      const body = form.id ? { ids: [form.id] } : {}
      const there = (done: string, n: number) =>
        locale.href(`/admin/queues/${encodeURIComponent(name)}`, { done, n: String(n) })
      if (form.action === 'redrive') {
        const { redriven } = await api.post('/admin/queues/{name}/redrive', { path: { name }, body })
        return there('redriven', redriven)
      }
      const { retried } = await api.post('/admin/queues/{name}/retry', { path: { name }, body })
      return there('retried', retried)
    },
  },
  (_locale, { queue }) => queue.name,
)

export const reportsPage = adminPage<ReportsData>(
  {
    path: '/admin/reports',
    query: ['status', 'reason'],
    async data(input) {
      const { status = 'open', ...filters } = filtersOf(input) as { status?: string }
      const query: object = { ...filters, ...(status === 'all' ? {} : { status }) }
      return { ...shownOf(input), ...(await input.api.get('/admin/reports', { query })) }
    },
    view: reportsView,
    async post(input) {
      const { id = '', action, status, note = '' } = input.form
      const { api } = input
      if (action === 'delete') {
        await api.delete('/admin/reports/{id}', { path: { id } })
        return back(input, 'reports', 'deleted')
      }
      await api.patch('/admin/reports/{id}', { path: { id }, body: { status: status as 'resolved', note } })
      return back(input, 'reports', 'saved')
    },
  },
  titleOf('reports'),
)

export const contactPage = adminPage<ContactData>(
  {
    path: '/admin/contact',
    query: ['suspect'],
    data: async (input) => ({
      ...shownOf(input),
      ...(await input.api.get('/admin/contact', { query: filtersOf(input) })),
    }),
    view: contactView,
    async post(input) {
      await input.api.delete('/admin/contact/{id}', { path: { id: input.form.id ?? '' } })
      return back(input, 'contact', 'deleted')
    },
  },
  titleOf('contact'),
)

export const serversPage = adminPage<ServersData>(
  {
    path: '/admin/servers',
    query: ['search', 'owner', 'hidden', 'verified', 'online'],
    data: async (input) => ({
      ...shownOf(input),
      ...(await input.api.get('/admin/servers', { query: filtersOf(input) })),
    }),
    view: serversView,
    async post(input) {
      const { id = '', action, field = '', to, ownerId } = input.form
      const path = { id }
      if (action === 'delete') {
        await input.api.delete('/admin/servers/{id}', { path })
        return back(input, 'servers', 'deleted')
      }
      const body = action === 'owner' ? { ownerId: ownerId || null } : { [field]: to === 'true' }
      await input.api.patch('/admin/servers/{id}', { path, body })
      return back(input, 'servers', 'saved')
    },
  },
  titleOf('servers'),
)

const USER_CHANGES = {
  ban: { banned: true },
  unban: { banned: false },
  promote: { isAdmin: true },
  demote: { isAdmin: false },
}

export const usersPage = adminPage<UsersData>(
  {
    path: '/admin/users',
    query: ['search', 'banned', 'admin'],
    data: async (input) => ({
      ...shownOf(input),
      ...(await input.api.get('/admin/users', { query: filtersOf(input) })),
    }),
    view: usersView,
    async post(input) {
      const { id = '', action, tier } = input.form
      const path = { id }
      if (action === 'delete') {
        await input.api.delete('/admin/users/{id}', { path })
        return back(input, 'users', 'deleted')
      }
      const body = action === 'tier' ? { tier: tier as 'free' } : USER_CHANGES[action as keyof typeof USER_CHANGES]
      await input.api.patch('/admin/users/{id}', { path, body })
      return back(input, 'users', 'saved')
    },
  },
  titleOf('users'),
)

export const voteSourcesPage = adminPage<VotesData>(
  {
    path: '/admin/votes',
    query: ['minVotes'],
    data: async (input) => ({
      ...shownOf(input),
      ...(await input.api.get('/admin/vote-networks', { query: filtersOf(input) })),
    }),
    view: votesView,
  },
  titleOf('votes'),
)

export const auditPage = adminPage<AuditData>(
  {
    path: '/admin/audit',
    query: ['action', 'actorId', 'targetId'],
    data: async (input) => ({
      ...shownOf(input),
      ...(await input.api.get('/admin/audit', { query: filtersOf(input) })),
    }),
    view: auditView,
  },
  titleOf('audit'),
)

const slotOf = ({ name = '', width, height }: Record<string, string>) => ({
  name,
  width: Number(width),
  height: Number(height),
})

export const slotsPage = adminPage<SlotsData>(
  {
    path: '/admin/slots',
    data: async (input) => ({
      ...shownOf(input),
      ...(await input.api.get('/admin/ad-slots', { query: filtersOf(input) })),
    }),
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
  },
  titleOf('slots'),
)

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

export const adminAuctionsPage = adminPage<AdminAuctionsData>(
  {
    path: '/admin/auctions',
    query: ['status'],
    async data(input) {
      const [list, { adSlots }] = await Promise.all([
        input.api.get('/admin/auctions', { query: filtersOf(input) }),
        input.api.get('/admin/ad-slots', { query: { limit: 100 } }),
      ])
      return { ...shownOf(input), ...list, slots: adSlots.filter(({ isActive }) => isActive) }
    },
    view: adminAuctionsView,
    async post(input) {
      const body = { ...termsOf(input), slotId: input.form.slotId ?? '' }
      const { id } = await input.api.post('/admin/auctions', { body })
      return input.locale.href(adminAuctionPath(id), { done: 'created' })
    },
  },
  titleOf('auctions'),
)

export const adminAuctionPage = adminPage<AdminAuctionData>(
  {
    path: '/admin/auctions/{id}',
    async data(input) {
      const path = { id: input.params.id ?? '' }
      const auction = await input.api.get('/admin/auctions/{id}', { path })
      const { bids } = await input.api.get('/auctions/{id}', { path })
      return { ...shownOf(input), auction, bids }
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
  },
  (_locale, { auction }) => auction.title,
)
