// A user's second factors.
import type * as z from 'zod'
import type { Deps } from '../../../deps.ts'
import { inTransaction } from '../../../platform/db/pool.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { operation } from '../../../platform/http/operation.ts'
import { SUCCESS, Success } from '../../../platform/http/success.ts'
import type { CredentialsService } from '../login/credentials.service.ts'
import { refuseOldSession } from '../login/old-session.ts'
import type { SessionRef } from '../login/sessions.ts'
import type { FactorChecks } from './checking.service.ts'
import type { Factors } from './factors.service.ts'
import {
  AddedFactor,
  BeginCodes,
  BeginPasskey,
  CodesSetup,
  ConfirmCodes,
  Confirmed,
  MAX_PASSKEYS,
  NewPasskey,
  PasskeyChange,
  PasskeyCreationOptions,
  PasskeyParams,
  PasskeyRequestOptions,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAnswer,
} from './second-factor.schema.ts'
import { confirmSession, hasSecondFactor } from './second-factor.sql.ts'
import { requireSetupCode } from './setup-codes.service.ts'

const common = { tag: 'Second factor', access: 'session' } as const
const FIRST =
  'The first one needs the account’s password or, if it has none, a login of the last ten minutes (else 403 `confirmation_needed`); ' +
  '`setup_code_needed`: and a setup code, if its rights need it. It ends all other sessions (API keys, members of teams and open ' +
  'invitations stay) and comes with ten recovery codes; a further one needs a confirmation within ten minutes.'

interface FactorOperationsOptions extends Pick<Deps, 'pool' | 'settings'> {
  factors: Factors
  checks: FactorChecks
  credentials: Pick<CredentialsService, 'requirePassword'>
}

export const factorOperations = (options: FactorOperationsOptions) => [
  ...passkeyOperations(options),
  ...codeOperations(options),
  ...confirmationOperations(options),
]

/**
 * Otherwise a session that was left open could lock the owner out, and a password alone would give the rights
 * of an administrator.
 */
const createProofCheck =
  ({ pool, settings, credentials }: Pick<FactorOperationsOptions, 'pool' | 'settings' | 'credentials'>) =>
  async (actor: SessionRef, { password, setupCode }: z.output<typeof BeginCodes>): Promise<void> => {
    const { userId } = actor
    if (await hasSecondFactor(pool, userId)) return
    await credentials.requirePassword(userId, password)
    await refuseOldSession(pool, actor, 'its first second factor')
    await requireSetupCode(pool, { settings }, { userId, setupCode })
  }

function passkeyOperations({ factors, ...options }: FactorOperationsOptions) {
  const requireProof = createProofCheck(options)
  return [
    operation({
      ...common,
      method: 'post',
      path: '/user/second-factor/passkeys/options',
      operationId: 'beginPasskey',
      summary: 'Get passkey creation options',
      description: `For \`navigator.credentials.create\`. They are valid for one passkey, within six minutes. ${FIRST}`,
      stepUp: true,
      body: BeginPasskey,
      returns: PasskeyCreationOptions,
      codes: ['setup_code_needed'],
      before: ({ actor, body }) => requireProof(actor, body),
      handle: ({ tx, actor }) => factors.beginPasskey(tx, actor),
    }),
    operation({
      ...common,
      method: 'post',
      path: '/user/second-factor/passkeys',
      operationId: 'addPasskey',
      summary: 'Add the passkey that a browser has made',
      description:
        '`passkey_refused`: it is not the answer to the options that this session got last, or not of this site; ' +
        `\`too_many_passkeys\`: an account may have ${MAX_PASSKEYS}.`,
      transaction: false,
      body: NewPasskey,
      status: 201,
      returns: AddedFactor,
      codes: ['passkey_refused', 'passkey_known', 'too_many_passkeys'],
      handle: async ({ actor, body }) => ({ recoveryCodes: await factors.addPasskey(actor, body) }),
    }),
    operation({
      ...common,
      method: 'patch',
      path: '/user/second-factor/passkeys/{passkeyId}',
      operationId: 'renamePasskey',
      summary: 'Rename a passkey',
      params: PasskeyParams,
      body: PasskeyChange,
      returns: Success,
      errors: [404],
      async handle({ tx, actor, params, body }) {
        await factors.renamePasskey(tx, actor, params.passkeyId, body.name)
        return SUCCESS
      },
    }),
    operation({
      ...common,
      method: 'delete',
      path: '/user/second-factor/passkeys/{passkeyId}',
      operationId: 'removePasskey',
      summary: 'Remove a passkey; with the last second factor the recovery codes are gone too',
      stepUp: true,
      params: PasskeyParams,
      returns: Success,
      errors: [404],
      async handle({ tx, actor, params }) {
        await factors.removePasskey(tx, actor, params.passkeyId)
        return SUCCESS
      },
    }),
  ]
}

function codeOperations({ factors, checks, pool, ...options }: FactorOperationsOptions) {
  const requireProof = createProofCheck({ ...options, pool })
  return [
    operation({
      ...common,
      method: 'post',
      path: '/user/second-factor/codes',
      operationId: 'beginOneTimeCodes',
      summary: 'Get a secret for an app that shows one-time codes',
      description: `RFC 6238: six digits, SHA-1, 30 seconds. It counts once a code has confirmed it, within an hour. ${FIRST}`,
      stepUp: true,
      body: BeginCodes,
      returns: CodesSetup,
      codes: ['codes_known', 'setup_code_needed'],
      before: ({ actor, body }) => requireProof(actor, body),
      handle: ({ tx, actor }) => factors.beginCodes(tx, actor),
    }),
    operation({
      ...common,
      method: 'post',
      path: '/user/second-factor/codes/confirm',
      operationId: 'confirmOneTimeCodes',
      summary: 'Set one-time codes up with a code of the app',
      description: 'A wrong code is 401 `invalid_credentials`. `not_begun`: there is no secret to confirm.',
      transaction: false,
      body: ConfirmCodes,
      returns: AddedFactor,
      codes: ['not_begun'],
      async handle({ actor, body, clientKey }) {
        const confirmed = await checks.requireConfirmingCode(actor.userId, body.code, clientKey)
        return { recoveryCodes: await inTransaction(pool, (tx) => factors.addCodes(tx, actor, confirmed)) }
      },
    }),
    operation({
      ...common,
      method: 'delete',
      path: '/user/second-factor/codes',
      operationId: 'removeOneTimeCodes',
      summary: 'Remove one-time codes; with the last second factor the recovery codes are gone too',
      stepUp: true,
      returns: Success,
      errors: [404],
      async handle({ tx, actor }) {
        await factors.removeCodes(tx, actor)
        return SUCCESS
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/user/second-factor/recovery-codes',
      operationId: 'replaceRecoveryCodes',
      summary: 'Get ten new recovery codes; earlier ones no longer work',
      description: '`second_factor_off`: the account has no second factor.',
      stepUp: true,
      returns: RecoveryCodes,
      codes: ['second_factor_off'],
      handle: async ({ tx, actor }) => ({ recoveryCodes: await factors.replaceRecoveryCodes(tx, actor) }),
    }),
  ]
}

const confirmationOperations = ({ factors, checks, pool }: FactorOperationsOptions) => [
  operation({
    ...common,
    method: 'get',
    path: '/user/second-factor',
    operationId: 'getSecondFactor',
    summary: 'Get the second factors of your account',
    returns: SecondFactor,
    handle: ({ db, actor }) => factors.read(db, actor),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/user/second-factor/confirm/passkey',
    operationId: 'beginPasskeyConfirmation',
    summary: 'Get passkey request options for a confirmation',
    description: 'For `navigator.credentials.get`. They are valid for one answer, within six minutes.',
    transaction: false,
    returns: PasskeyRequestOptions,
    handle: ({ actor: { userId, sessionId } }) =>
      checks.beginPasskey({ userId, boundTo: sessionId, purpose: 'confirm' }),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/user/second-factor/confirm',
    operationId: 'confirmSecondFactor',
    summary: 'Confirm your second factor before an irreversible operation',
    description:
      'Operations that answer 403 `confirmation_needed` are then allowed in this session for ten minutes, as after a login. A wrong ' +
      'answer is 401 `invalid_credentials`; limits as for `POST /auth/second-step`.',
    transaction: false,
    body: SecondFactorAnswer,
    returns: Confirmed,
    async handle({ actor: { userId, sessionId }, body, clientKey }) {
      await checks.require({ userId, boundTo: sessionId, purpose: 'confirm' }, body, clientKey)
      const confirmedUntil = await confirmSession(pool, sessionId)
      if (!confirmedUntil) throw new ApiError(401, 'unauthenticated', 'This session has ended. Log in again.')
      return { confirmedUntil }
    },
  }),
]
