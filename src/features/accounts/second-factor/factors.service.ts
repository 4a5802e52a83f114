// Adds and removes second factors. The first one ends all other sessions; the last one takes the
// recovery codes with it.
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../../deps.ts'
import { createSecretCipher } from '../../../platform/config/secret-cipher.ts'
import { type Db, inTransaction } from '../../../platform/db/pool.ts'
import { ApiError, notFound } from '../../../platform/http/errors.ts'
import { recordAction } from '../../audit/index.ts'
import { mail } from '../../mail/index.ts'
import { deleteOtherSessions } from '../login/sessions.sql.ts'
import { requireActiveSession, type SessionRef } from '../login/sessions.ts'
import { requireUser } from '../profile.store.ts'
import {
  confirmSecret,
  countRecoveryCodes,
  deleteSecret,
  findSecret,
  putPendingSecret,
  replaceRecoveryCodes,
} from './codes.sql.ts'
import { createOneTimeCodes, newRecoveryCodes, recoveryCodeHash } from './one-time-codes.ts'
import {
  deleteChallenge,
  deletePasskey,
  findPasskeys,
  insertPasskey,
  putChallenge,
  renamePasskey,
} from './passkeys.sql.ts'
import {
  MAX_PASSKEYS,
  type NewPasskey,
  NO_SUCH_PASSKEY,
  type PasskeyCreationOptions,
  type SecondFactor,
} from './second-factor.schema.ts'
import { confirmSession, deleteSecondFactor, findConfirmedUntil, hasSecondFactor } from './second-factor.sql.ts'
import { deleteSetupCode, needsSetupCode } from './setup-codes.service.ts'
import { CHALLENGE_SECONDS, challengeOf, type WebAuthn } from './web-authn.ts'

type Event = 'passkey-added' | 'passkey-removed' | 'codes-added' | 'codes-removed' | 'recovery-codes-replaced'

/** Names of the audit log. */
const ACTIONS: Record<Event, string> = {
  'passkey-added': 'user.passkey.add',
  'passkey-removed': 'user.passkey.remove',
  'codes-added': 'user.codes.add',
  'codes-removed': 'user.codes.remove',
  'recovery-codes-replaced': 'user.recovery-codes.replace',
}

const refused = (code: string, message: string) => new ApiError(400, code, message)

const passkeyRefused = () =>
  refused('passkey_refused', 'This passkey is not valid for this site, or adding it took too long. Start again.')

export type Factors = ReturnType<typeof createFactors>

interface FactorsOptions extends Pick<Deps, 'pool' | 'jobs' | 'settings' | 'clock'> {
  webAuthn: WebAuthn
}

export function createFactors({ pool, jobs, settings, clock, webAuthn }: FactorsOptions) {
  const cipher = createSecretCipher(settings)
  const codes = createOneTimeCodes(settings, clock)

  /** @param details no name that the user typed: the log is kept for good */
  async function report(tx: Db, userId: string, event: Event, details?: object): Promise<void> {
    const entry = { actorId: userId, targetType: 'user', targetId: userId } as const
    await recordAction(tx, { ...entry, action: ACTIONS[event], ...(details ? { details } : {}) })
    await jobs.enqueue(tx, mail, [{ kind: 'second-factor', userId, event }])
  }

  async function replaceWithNewRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
    const newCodes = newRecoveryCodes()
    await replaceRecoveryCodes(
      tx,
      userId,
      newCodes.map((code) => recoveryCodeHash(userId, code)),
    )
    return newCodes
  }

  /** Call it after the transaction has locked the account. @returns recovery codes if it was the first factor */
  async function afterAdding(tx: Db, actor: SessionRef, { wasOn }: { wasOn: boolean }): Promise<string[] | null> {
    if (wasOn) return null
    // They were opened without it.
    await deleteOtherSessions(tx, actor)
    await confirmSession(tx, actor.sessionId)
    await deleteSetupCode(tx, actor.userId)
    return replaceWithNewRecoveryCodes(tx, actor.userId)
  }

  async function afterRemoving(tx: Db, userId: string): Promise<void> {
    if (!(await hasSecondFactor(tx, userId))) await deleteSecondFactor(tx, userId)
  }

  return {
    async read(db: Db, { userId, sessionId }: SessionRef): Promise<SecondFactor> {
      const [user, passkeys, secret, recoveryCodesLeft, confirmedUntil] = await Promise.all([
        requireUser(db, userId),
        findPasskeys(db, userId),
        findSecret(db, userId, 'confirmed'),
        countRecoveryCodes(db, userId),
        findConfirmedUntil(db, sessionId),
      ])
      return {
        isOn: passkeys.length > 0 || secret !== undefined,
        isRequired: needsSetupCode(user, settings),
        passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, isDisabled }) => ({
          id,
          name,
          createdAt,
          lastUsedAt,
          isDisabled,
        })),
        hasCodes: secret !== undefined,
        recoveryCodesLeft,
        confirmedUntil,
      }
    },

    async beginPasskey(tx: Db, actor: SessionRef): Promise<PasskeyCreationOptions> {
      const { userId: id } = actor
      await requireActiveSession(tx, actor)
      const { email, username } = await requireUser(tx, id)
      const challenge = webAuthn.newChallenge()
      await putChallenge(tx, { userId: id, boundTo: actor.sessionId, purpose: 'add' }, challenge, CHALLENGE_SECONDS)
      const user = { id, name: email || username, displayName: username }
      return webAuthn.creationOptions(challenge, user, await findPasskeys(tx, id))
    },

    /** @throws ApiError 400 passkey_refused, passkey_known, too_many_passkeys */
    async addPasskey(actor: SessionRef, { name, credential }: z.output<typeof NewPasskey>) {
      const { userId, sessionId: boundTo } = actor
      const challenge = challengeOf(credential)
      // Used up whatever follows: each challenge has one answer.
      if (challenge === undefined || !(await deleteChallenge(pool, { userId, boundTo, purpose: 'add' }, challenge)))
        throw passkeyRefused()
      const passkey = await webAuthn.readAttestation(challenge, credential)
      if (!passkey) throw passkeyRefused()
      return inTransaction(pool, async (tx) => {
        await requireActiveSession(tx, actor)
        const wasOn = await hasSecondFactor(tx, userId)
        if ((await findPasskeys(tx, userId)).length >= MAX_PASSKEYS)
          throw refused('too_many_passkeys', `You have ${MAX_PASSKEYS} passkeys, the maximum. Remove one first.`)
        const passkeyId = uuidv7()
        if (!(await insertPasskey(tx, { ...passkey, id: passkeyId, userId, name })))
          throw refused('passkey_known', 'This passkey was added before.')
        await report(tx, userId, 'passkey-added', { passkeyId })
        return afterAdding(tx, actor, { wasOn })
      })
    },

    /** @throws ApiError 404 */
    async renamePasskey(tx: Db, actor: SessionRef, id: string, name: string): Promise<void> {
      await requireActiveSession(tx, actor)
      if (!(await renamePasskey(tx, { id, userId: actor.userId }, name))) throw notFound(NO_SUCH_PASSKEY)
    },

    /** @throws ApiError 404 */
    async removePasskey(tx: Db, actor: SessionRef, id: string): Promise<void> {
      const { userId } = actor
      await requireActiveSession(tx, actor)
      if (!(await deletePasskey(tx, { id, userId }))) throw notFound(NO_SUCH_PASSKEY)
      await report(tx, userId, 'passkey-removed', { passkeyId: id })
      await afterRemoving(tx, userId)
    },

    /** @throws ApiError 400 codes_known */
    async beginCodes(tx: Db, actor: SessionRef) {
      await requireActiveSession(tx, actor)
      const { email, username } = await requireUser(tx, actor.userId)
      const setup = await codes.newSecret(email || username)
      if (!(await putPendingSecret(tx, actor.userId, cipher.encrypt('one-time-code', setup.secret))))
        throw refused('codes_known', 'One-time codes are set up already. Remove them first.')
      return setup
    },

    /** @param confirmed what `requireConfirmingCode` returned */
    async addCodes(tx: Db, actor: SessionRef, confirmed: { secret: string; step: number }) {
      await requireActiveSession(tx, actor)
      const wasOn = await hasSecondFactor(tx, actor.userId)
      if (!(await confirmSecret(tx, actor.userId, confirmed)))
        throw refused('not_begun', 'One-time codes are not being set up any more. Start again.')
      await report(tx, actor.userId, 'codes-added')
      return afterAdding(tx, actor, { wasOn })
    },

    /** @throws ApiError 404 */
    async removeCodes(tx: Db, actor: SessionRef): Promise<void> {
      await requireActiveSession(tx, actor)
      if (!(await deleteSecret(tx, actor.userId))) throw notFound('One-time codes are not set up.')
      await report(tx, actor.userId, 'codes-removed')
      await afterRemoving(tx, actor.userId)
    },

    /** @throws ApiError 400 second_factor_off */
    async replaceRecoveryCodes(tx: Db, actor: SessionRef): Promise<string[]> {
      await requireActiveSession(tx, actor)
      if (!(await hasSecondFactor(tx, actor.userId)))
        throw refused('second_factor_off', 'There are no recovery codes without a passkey or one-time codes.')
      await report(tx, actor.userId, 'recovery-codes-replaced')
      return replaceWithNewRecoveryCodes(tx, actor.userId)
    },
  }
}
