// The first page of administrators.
import { overviewView, readOverview } from '../../components/admin/overview.ts'
import { adminPage } from './page.ts'

export const adminOverviewPage = adminPage({
  path: '/admin',
  script: 'admin.ts',
  data: ({ api }) => readOverview(api),
  title: (locale) => locale.t.admin.title,
  view: overviewView,
})
