// The page that only votes, and the vote form of all pages.
import type { RefusedForm } from '../components/fields.ts'
import { serverPath } from '../components/server-parts.ts'
import { voteView } from '../components/vote.ts'
import { OPEN_FORM, type VoteFormData, type Voting } from '../components/vote-form.ts'
import { type FormInput, fallbackOn, page } from '../page.ts'

/** Parameters of the page: a link that knows the player fills in the form, and `done` says what the form did. */
export const VOTE_PARAMETERS = ['username', 'gamePlatformId', 'done'] as const

export const votePage = page({
  path: '/vote/{id}',
  texts: ['vote', 'forms'],
  shared: true,
  query: VOTE_PARAMETERS,
  script: 'vote.ts',
  async data({ api, params, query, refused, serverIdOf }): Promise<VoteFormData> {
    const path = { id: serverIdOf(params.id) }
    const { id, name } = await api.get('/servers/{id}', { path })
    const { required: needsProof } = await api.get('/servers/{id}/vote/challenge', { path })
    return { server: { id, name }, voting: votingOf(query, refused), needsProof, now: Date.now() }
  },
  head: (locale, { server }) => ({
    title: `${locale.t.vote.vote}: ${server.name}`,
    canonical: serverPath(server),
  }),
  view: voteView,
  async post(input) {
    const { params, locale } = input
    if (input.form.action === 'remind') return remindByMail(input, `/vote/${encodeURIComponent(params.id)}`)
    return locale.href(`/vote/${encodeURIComponent(params.id)}`, { done: await submitVote(input) })
  },
})

/** Votes for the server that the page's address names. @returns the value of `done` for the page after the vote */
export async function submitVote(
  input: Pick<FormInput<never, '/{id}'>, 'api' | 'params' | 'form' | 'visitor' | 'serverIdOf'>,
): Promise<'voted' | 'sent'> {
  const { api, params, form, visitor, serverIdOf } = input
  const { username = '', gamePlatformId = '' } = form
  const { webhookSent } = await api.post('/servers/{id}/vote', {
    path: { id: serverIdOf(params.id) },
    body: { visitorId: visitor(), username, gamePlatformId },
  })
  return webhookSent ? 'sent' : 'voted'
}

/** Reminds the visitor by mail, without scripts. @returns the path to continue at */
export async function remindByMail(
  {
    api,
    params,
    visitor,
    serverIdOf,
    locale,
  }: Pick<FormInput<never, '/{id}'>, 'api' | 'params' | 'visitor' | 'serverIdOf' | 'locale'>,
  here: string,
): Promise<string> {
  const body = { visitorId: visitor(), language: locale.language }
  const path = { id: serverIdOf(params.id) }
  const added = await fallbackOn(401, undefined, api.post('/servers/{id}/vote/mail-reminder', { path, body }))
  return added ? locale.href(here, { done: 'reminded' }) : locale.href('/login', { next: locale.href(here) })
}

/** The state of the form after a vote or a refusal, or else with the names in the page's address. */
export function votingOf(query: Record<string, string>, refused: RefusedForm | undefined): Voting {
  const { done, username = '', gamePlatformId = '' } = query
  if (done === 'voted' || done === 'sent') return { ...OPEN_FORM, state: 'done', wasSent: done === 'sent' }
  if (done === 'reminded') return { ...OPEN_FORM, state: 'done', reminder: { channel: 'email' } }
  if (refused?.form.action === 'remind') return { ...OPEN_FORM, state: 'cooldown', reminder: { refused } }
  if (refused?.form.action !== 'vote') return { ...OPEN_FORM, username, gamePlatformId }
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
