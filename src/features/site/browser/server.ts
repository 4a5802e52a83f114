// The page of a server, live: its numbers, its chart, and the vote with its countdown.
import type { Range } from '../components/player-chart.ts'
import { serverView } from '../components/server.ts'
import { reportActions } from './actions.ts'
import { api, serverNow } from './api.ts'
import { live } from './live.ts'
import { follow } from './stream.ts'
import { voteLive } from './voting.ts'
import { showWaiting } from './waiting.ts'

const page = live(serverView)
reportActions()
showWaiting()
const { id } = page.data.server
const path = { id }
/** Shows the data that the document lacks, because it is not in memory on the server. */
async function showOthers(): Promise<void> {
  const [{ voters }, { wipes }, { standings: bestMonths }] = await Promise.all([
    api.get('/servers/{id}/votes/top', { path }),
    api.get('/servers/{id}/wipe-history', { path, query: { limit: 10 } }),
    api.get('/servers/{id}/standings', { path }),
  ])
  page.show({ ...page.data, topVoters: voters, wipes, bestMonths })
}

voteLive(page, async (rank) => {
  const { rankedOf } = await import('../components/rank.ts')
  page.show({ ...page.data, ranked: rankedOf(page.locale, rank) })
})
follow(page.data.cursor, {
  ids: () => [id],
  onServer: (server) =>
    page.show({ ...page.data, now: serverNow(), server: { ...page.data.server, ...server }, isRemoved: false }),
  onRemoved: () => page.show({ ...page.data, isRemoved: true }),
})
/** If a read fails, the page keeps what the server sent. */
const orLeaveOut = () => undefined
showOthers().catch(orLeaveOut)

/** Shows what a visitor with a session may do. */
async function showAccess(): Promise<void> {
  const { access } = await import('./viewer.ts')
  page.show({ ...page.data, access: await access })
}
if (document.querySelector('.account')) showAccess().catch(orLeaveOut)

/** The chart's script is larger than all the others, so it is loaded when the chart is about to be seen. */
const holder = document.querySelector<HTMLElement>('#chart')
if (holder)
  new IntersectionObserver(async (entries, observer) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    const { createChart } = await import('./chart.ts')
    const chart = createChart(holder, page.locale, page.data.server)
    await chart.show(page.data.range)
    document.addEventListener('click', (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('[data-range]')
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const range = link.dataset.range as Range
      history.replaceState(null, '', link.href)
      page.show({ ...page.data, range })
      void chart.show(range)
    })
  }).observe(holder)
