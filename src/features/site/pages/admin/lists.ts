// The lists of administrators: reports, messages, servers, accounts, sources of votes, and the audit log.
import { type AuditData, auditView } from '../../components/admin/audit.ts'
import { type ContactData, contactView } from '../../components/admin/contact.ts'
import { type ReportsData, reportsView } from '../../components/admin/reports.ts'
import { type ServersData, serversView } from '../../components/admin/servers.ts'
import { type UsersData, usersView } from '../../components/admin/users.ts'
import { type VotesData, votesView } from '../../components/admin/vote-sources.ts'
import { adminPage, back } from './page.ts'

const reportsPage = adminPage<ReportsData>({
  path: '/admin/reports',
  title: 'reports',
  query: ['status', 'reason'],
  data({ api }, filters) {
    const { status = 'open', ...others } = filters as { status?: string }
    return api.get('/admin/reports', { query: status === 'all' ? others : ({ ...others, status } as object) })
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
})

const contactPage = adminPage<ContactData>({
  path: '/admin/contact',
  title: 'contact',
  query: ['suspect'],
  data: ({ api }, query) => api.get('/admin/contact', { query }),
  view: contactView,
  async post(input) {
    await input.api.delete('/admin/contact/{id}', { path: { id: input.form.id ?? '' } })
    return back(input, 'contact', 'deleted')
  },
})

const serversPage = adminPage<ServersData>({
  path: '/admin/servers',
  title: 'servers',
  query: ['search', 'owner', 'hidden', 'verified', 'online'],
  data: ({ api }, query) => api.get('/admin/servers', { query }),
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
})

const USER_CHANGES = {
  ban: { banned: true },
  unban: { banned: false },
  promote: { isAdmin: true },
  demote: { isAdmin: false },
}

const usersPage = adminPage<UsersData>({
  path: '/admin/users',
  title: 'users',
  query: ['search', 'banned', 'admin'],
  data: ({ api }, query) => api.get('/admin/users', { query }),
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
})

const voteSourcesPage = adminPage<VotesData>({
  path: '/admin/votes',
  title: 'votes',
  query: ['minVotes'],
  data: ({ api }, query) => api.get('/admin/vote-networks', { query }),
  view: votesView,
})

const auditPage = adminPage<AuditData>({
  path: '/admin/audit',
  title: 'audit',
  query: ['action', 'actorId', 'targetId'],
  data: ({ api }, query) => api.get('/admin/audit', { query }),
  view: auditView,
})

export const LIST_PAGES = [reportsPage, contactPage, serversPage, usersPage, voteSourcesPage, auditPage]
