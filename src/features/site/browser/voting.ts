// The vote form, live: it votes, and counts down until the visitor may vote again.
import type { RefusedForm } from '../components/fields.ts'
import type { Locale } from '../components/locale.ts'
import type { Schemas } from '../components/types.ts'
import type { VoteFormData, Voting } from '../components/vote-form.ts'
import { ApiError, api, serverNow } from './api.ts'
import { newVisitor, readVisitor, storeVisitor } from './visitor.ts'

const SECOND_MS = 1_000

/** A page with a vote form. */
interface VotePage<Data extends VoteFormData> {
  locale: Locale<'forms'>
  data: Data
  show(data: Data): void
}

/**
 * Makes the vote form work. It prefers names in the page's address to those of the last vote.
 * @param showRank called after a vote, if the page shows the server's place
 */
export function voteLive<Data extends VoteFormData>(
  page: VotePage<Data>,
  showRank: (rank: Schemas['ServerRank']) => void = () => undefined,
): void {
  const { id } = page.data.server
  const path = { id }
  const known = readVisitor()
  const visitor = known ?? newVisitor()
  const { username: givenName, gamePlatformId: givenId } = page.data.voting
  if (givenName !== '' || givenId !== '') Object.assign(visitor, { username: givenName, gamePlatformId: givenId })

  const showVoting = (voting: Partial<Voting>) =>
    page.show({ ...page.data, now: serverNow(), voting: { ...page.data.voting, ...voting } })

  async function vote(form: HTMLFormElement): Promise<void> {
    const typed = new FormData(form)
    const [username, gamePlatformId] = ['username', 'gamePlatformId'].map((name) => String(typed.get(name) ?? ''))
    // Another page of this browser may have made an id since this one loaded; two ids would count as two visitors.
    Object.assign(visitor, { id: readVisitor()?.id ?? visitor.id, username, gamePlatformId })
    storeVisitor(visitor)
    showVoting({ state: 'sending', refused: undefined, ...visitor })
    try {
      const proof = page.data.needsProof ? { proof: await (await import('./proof.ts')).proveVote(id) } : {}
      const after = await import('./after-vote.ts')
      after.prepare(voted)
      const rankBefore = after.rankOf(id)
      const { webhookSent, nextVoteAt, streak } = await api.post('/servers/{id}/vote', {
        path,
        body: { visitorId: visitor.id, username: visitor.username, gamePlatformId: visitor.gamePlatformId, ...proof },
      })
      showVoting({ state: 'done', wasSent: webhookSent, nextVoteAt, streak })
      focusResult()
      void rankBefore.then((rank) => after.showProgress(voted, rank))
      void after.showReminder(voted)
    } catch (error) {
      const refused = await refusedBy(error, page.locale)
      if (error instanceof ApiError && error.code === 'vote_cooldown') {
        showVoting({ state: 'cooldown', refused, nextVoteAt: String(error.fields.nextVoteAt) })
        void (await import('./after-vote.ts')).showReminder(voted)
      } else showVoting({ state: 'failed', refused })
      focusResult()
    }
  }

  const voted = {
    id,
    get visitorId() {
      return visitor.id
    },
    page,
    show: showVoting,
    showRank,
    refusedBy,
    focusResult,
  }

  /** A visitor who has voted before sees at once whether the cooldown is over. */
  async function showStatus(): Promise<void> {
    if (!known || page.data.voting.state !== 'open') return
    const { canVote, cooldownRemaining, streak } = await api.get('/servers/{id}/vote', {
      path,
      query: { visitorId: visitor.id },
    })
    const { username, gamePlatformId } = visitor
    if (canVote) showVoting({ username, gamePlatformId })
    else {
      const nextVoteAt = new Date(serverNow() + cooldownRemaining).toISOString()
      const after = await import('./after-vote.ts')
      after.prepare(voted)
      showVoting({ state: 'cooldown', username, gamePlatformId, nextVoteAt, streak })
      void after.showReminder(voted)
    }
  }

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.matches('[data-vote]')) return
    event.preventDefault()
    void vote(form)
  })
  page.show({ ...page.data, isLive: true })
  setInterval(() => {
    const { nextVoteAt, canPush = false } = page.data.voting
    if (!nextVoteAt) return
    if (Date.parse(nextVoteAt) > serverNow()) showVoting({})
    else {
      const { username, gamePlatformId } = visitor
      page.show({ ...page.data, voting: { state: 'open', username, gamePlatformId, canPush } })
    }
  }, SECOND_MS)
  // If the status can't be read, the form stays as the server sent it.
  showStatus().catch(() => undefined)
}

/** Moves the focus to the result, because the pressed button is gone or disabled. */
function focusResult(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('.vote-status')?.focus({ preventScroll: true })
}

/** Converts an error of the API, or of a script that could not be loaded, to a refused form. */
async function refusedBy(error: unknown, locale: Locale<'forms'>): Promise<RefusedForm> {
  const unknown = error instanceof TypeError ? 'no_connection' : ''
  const { code = unknown, message = String(error), fields = {} } = error as Partial<ApiError>
  const refused = { code, message, fields, form: {} }
  const problems = await import('../components/problems.ts').catch(() => undefined)
  return problems?.translated(locale, refused) ?? refused
}
