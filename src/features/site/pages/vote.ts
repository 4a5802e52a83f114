// The page that only votes, and the vote form of all pages.
import type { RefusedForm } from '../components/fields.ts'
import { serverPath } from '../components/server-parts.ts'
import { voteView } from '../components/vote.ts'
import { OPEN_FORM, type VoteFormData, type Voting } from '../components/vote-form.ts'
import { type FormInput, fallbackOn, page, type ShownOnce } from '../page.ts'

/** Parameters of the page: a link that knows the player fills in the form. */
export const VOTE_PARAMETERS = ['username', 'gamePlatformId'] as const

export const votePage = page({
  path: '/vote/{id}',
  texts: ['vote', 'forms'],
  shared: true,
  query: VOTE_PARAMETERS,
  script: 'vote.ts',
  async data({ api, params, query, refused, once, serverIdOf }): Promise<VoteFormData> {
    const path = { id: serverIdOf(params.id) }
    const { id, name } = await api.get('/servers/{id}', { path })
    const { required: needsProof } = await api.get('/servers/{id}/vote/challenge', { path })
    return { server: { id, name }, voting: votingOf(query, refused, once), needsProof, now: Date.now() }
  },
  head: (locale, { server }) => ({
    title: `${locale.t.vote.vote}: ${server.name}`,
    canonical: serverPath(server),
  }),
  view: voteView,
  post: (input) =>
    input.form.action === 'remind'
      ? remindByMail(input, `/vote/${encodeURIComponent(input.params.id)}`)
      : submitVote(input),
})

/** What the form shows once. No address says it: another visitor who opens this address may vote. */
const shownOnce = (voting: Partial<Voting>): ShownOnce => ({ voting: { ...OPEN_FORM, state: 'done', ...voting } })

/** Votes for the server that the page's address names. */
export async function submitVote(
  input: Pick<FormInput<never, '/{id}'>, 'api' | 'params' | 'form' | 'visitor' | 'serverIdOf'>,
): Promise<ShownOnce> {
  const { api, params, form, visitor, serverIdOf } = input
  const { username = '', gamePlatformId = '' } = form
  const { webhookSent, nextVoteAt, streak } = await api.post('/servers/{id}/vote', {
    path: { id: serverIdOf(params.id) },
    body: { visitorId: visitor(), username, gamePlatformId },
  })
  return shownOnce({ wasSent: webhookSent, nextVoteAt, streak })
}

/** Reminds the visitor by mail, without scripts. @returns what is shown once, or the path of the login */
export async function remindByMail(
  {
    api,
    params,
    visitor,
    serverIdOf,
    locale,
  }: Pick<FormInput<never, '/{id}'>, 'api' | 'params' | 'visitor' | 'serverIdOf' | 'locale'>,
  here: string,
): Promise<ShownOnce | string> {
  const body = { visitorId: visitor(), language: locale.language }
  const path = { id: serverIdOf(params.id) }
  const added = await fallbackOn(401, undefined, api.post('/servers/{id}/vote/mail-reminder', { path, body }))
  return added
    ? shownOnce({ state: 'cooldown', nextVoteAt: added.remindAt, reminder: { channel: 'email' } })
    : locale.href('/login', { next: locale.href(here) })
}

/** The state of the form after a vote or a refusal, or else with the names in the page's address. */
export function votingOf(
  query: Record<string, string>,
  refused: RefusedForm | undefined,
  once: ShownOnce | undefined,
): Voting {
  if (once) return once.voting as Voting
  const { username = '', gamePlatformId = '' } = query
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
