// The second step of a login.
import { operation } from '../../../platform/http/operation.ts'
import { Reply } from '../../../platform/http/reply-kinds.ts'
import { UserReply } from '../accounts.schema.ts'
import { PasskeyRequestOptions, SecondFactorAnswer, SecondStep } from './second-factor.schema.ts'
import type { SecondSteps } from './second-step.service.ts'

const common = { tag: 'Accounts', transaction: false } as const

export const secondStepOperations = (steps: SecondSteps) => [
  operation({
    ...common,
    method: 'get',
    path: '/auth/second-step',
    operationId: 'getSecondStep',
    summary: 'Get the second factors that can complete this login',
    description: '401 if no login waits: its cookie is set by the login, for ten minutes.',
    returns: SecondStep,
    errors: [401],
    handle: ({ req }) => steps.read(req.headers.cookie),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/auth/second-step/passkey',
    operationId: 'beginPasskeyLogin',
    summary: 'Get passkey request options for this login',
    description: 'For `navigator.credentials.get`. They are valid for one answer, within six minutes.',
    returns: PasskeyRequestOptions,
    errors: [401, 403],
    handle: ({ req }) => steps.beginPasskey(req.headers.cookie),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/auth/second-step',
    operationId: 'completeLogin',
    summary: 'Complete a login with the second factor of the account',
    description:
      'Sets the session cookie and ends the session of the request. A wrong answer is 401 `invalid_credentials`, and the login still ' +
      'waits; 401 `unauthenticated`: no login waits. 429 after 5 wrong answers in a minute, and after 10 wrong codes for the account ' +
      'in 15 minutes or 40 in a day, from wherever: passkeys and recovery codes then still work.',
    body: SecondFactorAnswer,
    returns: UserReply,
    errors: [401, 403],
    async handle({ body, clientKey, req }) {
      const { user, headers } = await steps.complete(body, { clientKey, cookies: req.headers.cookie })
      return new Reply({ user }, { headers })
    },
  }),
]
