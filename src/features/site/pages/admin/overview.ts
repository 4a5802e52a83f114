// The first page of administrators and moderators.
import { accessOf } from '../../components/admin/frame.ts'
import { overviewView, readOverview } from '../../components/admin/overview.ts'
import { adminPage } from './page.ts'

export const adminOverviewPage = adminPage({
  path: '/admin',
  access: accessOf('overview'),
  script: 'admin.ts',
  data: ({ api, user }) => readOverview(api, user?.isAdmin ?? false),
  title: (locale) => locale.t.admin.frame.title,
  view: overviewView,
})
