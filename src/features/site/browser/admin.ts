// The overview of administrators and moderators, live.
import { overviewView, readOverview } from '../components/admin/overview.ts'
import { api } from './api.ts'
import { live } from './live.ts'

const READ_MS = 10_000

const page = live(overviewView)
setInterval(() => {
  if (!document.hidden)
    readOverview(api, page.data.isAdmin).then(
      (readings) => page.show({ ...page.data, ...readings }),
      () => {},
    )
}, READ_MS)
