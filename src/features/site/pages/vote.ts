// The page that only votes, and the vote form of all pages.
import type { Client } from '../components/client.ts'
import type { RefusedForm } from '../components/fields.ts'
import { serverPath } from '../components/server-parts.ts'
import { voteView } from '../components/vote.ts'
import { OPEN_FORM, type VoteFormData, type Voting } from '../components/vote-form.ts'
import { type FormInput, fallbackOn, type PageInput, page, type ShownOnce } from '../page.ts'

/** Parameters of the page: a link that knows the player fills in the form. */
export const VOTE_PARAMETERS = ['username', 'gamePlatformId'] as const

/** The values of `done` that say what a vote form has done. */
export const VOTE_RESULTS = ['voted'] as const

export const votePage = page({
  path: '/vote/{id}',
  texts: ['vote', 'forms'],
  shared: true,
  results: VOTE_RESULTS,
  query: ['done', ...VOTE_PARAMETERS],
  script: 'vote.ts',
  async data(input): Promise<VoteFormData> {
    const { api, params, serverIdOf } = input
    const path = { id: serverIdOf(params.id) }
    const { id, name } = await api.get('/servers/{id}', { path })
    const { required: needsProof } = await api.get('/servers/{id}/vote/challenge', { path })
    return { server: { id, name }, voting: await votingOf(input, id), needsProof, now: Date.now() }
  },
  head: (locale, { server }) => ({
    title: `${locale.t.vote.vote}: ${server.name}`,
    canonical: serverPath(server),
  }),
  view: voteView,
  post(input) {
    const here = `/vote/${encodeURIComponent(input.params.id)}`
    return input.form.action === 'remind' ? remindByMail(input, here) : submitVote(input, here)
  },
})

type VoteInput = FormInput<never, '/{id}'>

/** Votes for the server that the page's address names. @returns the path of the result */
export async function submitVote(
  { api, params, form, visitor, serverIdOf, locale, query }: VoteInput,
  here: string,
): Promise<string> {
  const { username = '', gamePlatformId = '' } = form
  await api.post('/servers/{id}/vote', {
    path: { id: serverIdOf(params.id) },
    body: { visitorId: visitor(), username, gamePlatformId },
  })
  return `${locale.href(here, { ...query, done: 'voted' })}#vote`
}

/**
 * Reminds the visitor by mail, without scripts.
 * @returns what is shown once, since no operation says whether a visitor has a reminder; or the path of the login
 */
export async function remindByMail(
  { api, params, visitor, serverIdOf, locale }: VoteInput,
  here: string,
): Promise<ShownOnce | string> {
  const body = { visitorId: visitor(), language: locale.language }
  const path = { id: serverIdOf(params.id) }
  const added = await fallbackOn(401, undefined, api.post('/servers/{id}/vote/mail-reminder', { path, body }))
  if (!added) return locale.href('/login', { next: locale.href(here) })
  const voting: Voting = {
    ...OPEN_FORM,
    state: 'cooldown',
    nextVoteAt: added.remindAt,
    reminder: { channel: 'email' },
  }
  return { voting }
}

/** The state of the form after a vote or a refusal, or else with the names in the page's address. */
export async function votingOf(
  { api, query, refused, once, knownVisitor }: PageInput<never, '/{id}'>,
  id: string,
): Promise<Voting> {
  if (once) return once.voting as Voting
  const { username = '', gamePlatformId = '', done } = query
  if (refused?.form.action === 'remind') return { ...OPEN_FORM, state: 'cooldown', reminder: { refused } }
  if (refused?.form.action === 'vote') return refusedVoting(refused)
  const voted = done === 'voted' && knownVisitor ? await votedBefore(api, id, knownVisitor) : {}
  return { ...OPEN_FORM, username, gamePlatformId, ...voted }
}

/**
 * The result of a vote, as long as this visitor's next one is not possible: another visitor may
 * have opened the address.
 */
async function votedBefore(api: Client, id: string, visitorId: string): Promise<Partial<Voting>> {
  const status = await api.get('/servers/{id}/vote', { path: { id }, query: { visitorId } })
  const { canVote, cooldownRemaining, streak } = status
  if (canVote) return {}
  return { state: 'done', nextVoteAt: new Date(Date.now() + cooldownRemaining).toISOString(), streak }
}

function refusedVoting(refused: RefusedForm): Voting {
  const { code, fields, form } = refused
  const nextVoteAt = typeof fields.nextVoteAt === 'string' ? { nextVoteAt: fields.nextVoteAt } : {}
  return {
    state: code === 'vote_cooldown' ? 'cooldown' : 'failed',
    username: form.username ?? '',
    gamePlatformId: form.gamePlatformId ?? '',
    refused,
    ...nextVoteAt,
  }
}
