// Ends the sessions of an account besides the caller's.
import { operation } from '../../../platform/http/operation.ts'
import { DONE, Success } from '../../../platform/http/success.ts'
import { deleteOtherSessions } from './sessions.sql.ts'
import { requireLivingSession } from './sessions.ts'

export const sessionsOperations = [
  operation({
    method: 'delete',
    path: '/user/sessions',
    operationId: 'endOtherSessions',
    tag: 'User',
    summary: 'Log out everywhere else',
    description: 'Ends all other sessions of your account; this one continues. API keys stay valid.',
    access: 'session',
    returns: Success,
    async handle({ tx, actor }) {
      await requireLivingSession(tx, actor)
      await deleteOtherSessions(tx, actor)
      return DONE
    },
  }),
]
