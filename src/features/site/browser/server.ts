// The page of a server, live: its numbers, its chart, and the vote with its countdown.
import type { RefusedForm } from '../components/fields.ts'
import type { Range } from '../components/player-chart.ts'
import { serverView } from '../components/server.ts'
import type { Voting } from '../components/vote-form.ts'
import { ApiError, api } from './api.ts'
import { live } from './live.ts'
import { follow } from './stream.ts'
import { newVisitor, readVisitor, storeVisitor } from './visitor.ts'

const page = live(serverView)
const { id } = page.data.server
const path = { id }
const known = readVisitor()
const visitor = known ?? newVisitor()

const showVoting = (voting: Partial<Voting>) =>
  page.show({ ...page.data, now: Date.now(), voting: { ...page.data.voting, ...voting } })

async function vote(form: HTMLFormElement): Promise<void> {
  const typed = new FormData(form)
  const [username, gamePlatformId] = ['username', 'gamePlatformId'].map((name) => String(typed.get(name) ?? ''))
  Object.assign(visitor, { username, gamePlatformId })
  showVoting({ state: 'sending', refused: undefined, ...visitor })
  try {
    const proof = page.data.needsProof ? { proof: await (await import('./proof.ts')).proveVote(id) } : {}
    const { webhookSent, nextVoteAt } = await api.post('/servers/{id}/vote', {
      path,
      body: { visitorId: visitor.id, username: visitor.username, gamePlatformId: visitor.gamePlatformId, ...proof },
    })
    showVoting({ state: 'done', wasSent: webhookSent, nextVoteAt })
    storeVisitor(visitor)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'vote_cooldown')
      showVoting({ state: 'cooldown', refused: refusedBy(error), nextVoteAt: String(error.fields.nextVoteAt) })
    else showVoting({ state: 'failed', refused: refusedBy(error) })
  }
}

/** An error of the API, or of a request without a connection. */
function refusedBy(error: unknown): RefusedForm {
  const { code = '', message = String(error), fields = {} } = error as Partial<ApiError>
  return { code, message, fields, form: {} }
}

/** A visitor who has voted before sees at once whether the cooldown is over. */
async function showStatus(): Promise<void> {
  if (!known || page.data.voting.state !== 'open') return
  const { canVote, cooldownRemaining } = await api.get('/servers/{id}/vote', { path, query: { visitorId: visitor.id } })
  const { username, gamePlatformId } = visitor
  if (canVote) showVoting({ username, gamePlatformId })
  else {
    const nextVoteAt = new Date(Date.now() + cooldownRemaining).toISOString()
    showVoting({ state: 'cooldown', username, gamePlatformId, nextVoteAt })
  }
}

/** What is not in memory on the server, so not in the document. */
async function showOthers(): Promise<void> {
  const [{ voters }, { wipes }, { standings: bestMonths }] = await Promise.all([
    api.get('/servers/{id}/votes/top', { path }),
    api.get('/servers/{id}/wipe-history', { path, query: { limit: 10 } }),
    api.get('/servers/{id}/standings', { path }),
  ])
  page.show({ ...page.data, topVoters: voters, wipes, bestMonths })
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (!form.matches('[data-vote]')) return
  event.preventDefault()
  void vote(form)
})

page.show({ ...page.data, isLive: true })

const SECOND_MS = 1_000
setInterval(() => {
  const { nextVoteAt } = page.data.voting
  if (!nextVoteAt) return
  if (Date.parse(nextVoteAt) > Date.now()) showVoting({})
  else
    page.show({
      ...page.data,
      voting: { state: 'open', username: visitor.username, gamePlatformId: visitor.gamePlatformId },
    })
}, SECOND_MS)

follow(
  page.data.cursor,
  () => [id],
  (server) => page.show({ ...page.data, now: Date.now(), server: { ...page.data.server, ...server } }),
)
/** Without these the page shows what the server sent. */
const orLeaveOut = () => undefined
showStatus().catch(orLeaveOut)
showOthers().catch(orLeaveOut)

/** The chart's script is larger than all the others, so it is loaded when the chart is about to be seen. */
const holder = document.querySelector<HTMLElement>('#chart')
if (holder)
  new IntersectionObserver(async (entries, observer) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    const { createChart } = await import('./chart.ts')
    const chart = createChart(holder, page.locale, id)
    await chart.show(page.data.range).catch(orLeaveOut)
    document.addEventListener('click', (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('[data-range]')
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const range = link.dataset.range as Range
      history.replaceState(null, '', link.href)
      page.show({ ...page.data, range })
      chart.show(range).catch(orLeaveOut)
    })
  }).observe(holder)
