// The sessions of the user's account: which there are, and ending them.
import type { CookieJar } from '../../../platform/http/cookies.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { operation } from '../../../platform/http/operation.ts'
import { Reply } from '../../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../../platform/http/success.ts'
import { NO_SUCH_SESSION, SessionList, SessionParams, SessionsQuery } from '../accounts.schema.ts'
import { deleteOtherSessions, deleteSessionOf, findSessionPage } from './sessions.sql.ts'
import { requireActiveSession } from './sessions.ts'

const common = { tag: 'User', access: 'session' } as const

export const sessionsOperations = ({ jar }: { jar: CookieJar }) => [
  operation({
    ...common,
    method: 'get',
    path: '/user/sessions',
    operationId: 'listSessions',
    summary: 'List your sessions; this one first, then the last used',
    description:
      'Browser, system and country are those of the first request with the session. `lastUsedAt` is up to ten minutes old. Addresses are ' +
      'not stored.',
    query: SessionsQuery,
    returns: SessionList,
    handle: ({ db, actor, query }) => findSessionPage(db, actor, query),
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/user/sessions',
    operationId: 'endOtherSessions',
    summary: 'Log out everywhere else',
    description:
      'Ends all other sessions of your account; this one continues. API keys, members of teams and open invitations stay.',
    returns: Success,
    async handle({ tx, actor }) {
      await requireActiveSession(tx, actor)
      await deleteOtherSessions(tx, actor)
      return SUCCESS
    },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/user/sessions/{id}',
    operationId: 'endSession',
    summary: 'End one of your sessions',
    description:
      'The session ends at once. API keys, members of teams and open invitations stay. If it is the one of this request, the cookie is cleared.',
    params: SessionParams,
    returns: Success,
    async handle({ tx, actor, params: { id } }) {
      await requireActiveSession(tx, actor)
      const ended = await deleteSessionOf(tx, actor.userId, id)
      if (!ended) throw notFound(NO_SUCH_SESSION)
      const isOwn = ended.equals(actor.sessionId)
      return isOwn ? new Reply(SUCCESS, { headers: [jar.clear('session')] }) : SUCCESS
    },
  }),
]
