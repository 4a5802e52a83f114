// The first page of administrators, and the failed jobs of a queue.
import { type OverviewData, overviewView, readOverview } from '../../components/admin/overview.ts'
import { type QueueData, queueView } from '../../components/admin/queue.ts'
import type { Schemas } from '../../components/types.ts'
import { adminPage } from './page.ts'

const overviewPage = adminPage<OverviewData>({
  path: '/admin',
  script: 'admin.ts',
  title: (_data, locale) => locale.t.admin.title,
  data: ({ api }) => readOverview(api),
  view: overviewView,
})

const queuePage = adminPage<QueueData>({
  path: '/admin/queues/{name}',
  title: ({ queue }) => queue.name,
  async data({ api, params: { name = '' } }, query) {
    const [{ jobs, pagination }, { queues }] = await Promise.all([
      api.get('/admin/queues/{name}/failed', { path: { name }, query }),
      api.get('/admin/queues'),
    ])
    const queue = queues.find((one) => one.name === name) as Schemas['QueueState']
    const isDeadLetter = queues.some(({ deadLetter }) => deadLetter === name)
    return { queue, isDeadLetter, jobs, pagination }
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
})

export const OVERVIEW_PAGES = [overviewPage, queuePage]
