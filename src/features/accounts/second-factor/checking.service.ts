// Checks a second factor: a passkey, a one-time code or a recovery code. Each answer counts once, also
// of parallel requests.
import type { Deps } from '../../../deps.ts'
import { createSecretCipher } from '../../../platform/config/secret-cipher.ts'
import { inTransaction } from '../../../platform/db/pool.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { nestedWindows } from '../../../platform/http/limit-policy.ts'
import type { LimitSubject, Limits } from '../../../platform/http/limits.ts'
import { recordAction } from '../../audit/index.ts'
import { mail } from '../../mail/index.ts'
import { countRecoveryCodes, findSecret, useRecoveryCode, useStep } from './codes.sql.ts'
import { createOneTimeCodes, recoveryCodeHash } from './one-time-codes.ts'
import {
  type ChallengeSubject,
  deleteChallenge,
  disablePasskey,
  findPasskeys,
  putChallenge,
  raiseCounter,
} from './passkeys.sql.ts'
import type { PasskeyAssertion, PasskeyRequestOptions, SecondFactorAnswer } from './second-factor.schema.ts'
import { CHALLENGE_SECONDS, challengeOf, type WebAuthn } from './web-authn.ts'

/** One client address on one account. */
const CALLER = nestedWindows('factor-caller', [
  [5, 60],
  [20, 900],
])
/** One client address on all accounts. */
const ADDRESS = nestedWindows('factor-address', [[100, 3600]])
/**
 * Codes of one account from all addresses, since three of a million are right at a time: 40 a day find one in 23
 * years. Passkeys and recovery codes can't be guessed, so they are not counted here: anyone who knows the password
 * can't keep the owner out.
 */
const GUESSES = nestedWindows('factor-guesses', [
  [10, 900],
  [40, 86_400],
])
const WARNINGS = nestedWindows('factor-warning', [[1, 86_400]])

const refusal = (seconds: number) => `Too many attempts. Try again in ${seconds} seconds.`
const guessRefusal = (seconds: number) =>
  `Too many wrong codes for this account. Try again in ${seconds} seconds, or use a passkey or a recovery code.`

const wrongCode = () =>
  new ApiError(401, 'invalid_credentials', 'This code is wrong, was used before, or is not valid any more.')
const wrongPasskey = () =>
  new ApiError(
    401,
    'invalid_credentials',
    'This passkey is not one of the account, or its answer is not valid any more.',
  )

export type FactorChecks = ReturnType<typeof createFactorChecks>

interface FactorChecksOptions extends Pick<Deps, 'pool' | 'jobs' | 'settings' | 'clock'> {
  limits: Limits
  webAuthn: WebAuthn
}

export function createFactorChecks({ pool, jobs, settings, clock, limits, webAuthn }: FactorChecksOptions) {
  const cipher = createSecretCipher(settings)
  const codes = createOneTimeCodes(settings, clock)

  /** Counts an attempt before it is checked. @returns a function that refunds it */
  async function attempt(userId: string, clientKey: string, { isGuessable }: { isGuessable: boolean }) {
    const subjects: LimitSubject[] = [
      { key: `${userId}:${clientKey}`, policies: CALLER, refusal },
      { key: clientKey, policies: ADDRESS, refusal },
    ]
    const guesses = { key: userId, policies: GUESSES, refusal: guessRefusal }
    for (const subject of subjects) await limits.consume(subject)
    if (isGuessable)
      try {
        await limits.consume(guesses)
      } catch (error) {
        if (error instanceof ApiError && error.status === 429) await warnOwner(userId)
        throw error
      }
    return async () => {
      for (const subject of isGuessable ? [...subjects, guesses] : subjects) await limits.refund(subject)
    }
  }

  /** The caller knows the password already. */
  async function warnOwner(userId: string): Promise<void> {
    try {
      await limits.consume({ key: userId, policies: WARNINGS })
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) return
      throw error
    }
    await jobs.enqueue(pool, mail, [{ kind: 'second-factor', userId, event: 'codes-guessed' }])
  }

  async function isRightCode(userId: string, code: string): Promise<boolean> {
    const encrypted = await findSecret(pool, userId, 'confirmed')
    const secret = encrypted && cipher.decryptIfPossible('one-time-code', encrypted)
    const step = secret ? await codes.stepOf(secret, code) : undefined
    return step !== undefined && useStep(pool, userId, step)
  }

  const isRightRecoveryCode = (userId: string, code: string): Promise<boolean> =>
    inTransaction(pool, async (tx) => {
      if (!(await useRecoveryCode(tx, userId, recoveryCodeHash(userId, code)))) return false
      const recoveryCodesLeft = await countRecoveryCodes(tx, userId)
      await recordAction(tx, {
        actorId: userId,
        action: 'user.recovery-code.use',
        targetType: 'user',
        targetId: userId,
        details: { recoveryCodesLeft },
      })
      await jobs.enqueue(tx, mail, [{ kind: 'second-factor', userId, event: 'recovery-code-used', recoveryCodesLeft }])
      return true
    })

  async function isRightPasskey(subject: ChallengeSubject, assertion: PasskeyAssertion): Promise<boolean> {
    const challenge = challengeOf(assertion)
    // Used up whatever follows: each challenge has one answer.
    if (challenge === undefined || !(await deleteChallenge(pool, subject, challenge))) return false
    const { userId } = subject
    const passkey = (await findPasskeys(pool, userId)).find(
      ({ credentialId }) => credentialId.toString('base64url') === assertion.id,
    )
    if (!passkey) return false
    const counter = await webAuthn.readAssertion(challenge, passkey, assertion)
    if (counter === undefined) return false
    if (await raiseCounter(pool, passkey.id, counter)) return true
    // Only the passkey or a copy of it can sign, so only its holders can cause this.
    await inTransaction(pool, async (tx) => {
      if (!(await disablePasskey(tx, passkey.id))) return
      await recordAction(tx, {
        actorId: userId,
        action: 'user.passkey.disable',
        targetType: 'user',
        targetId: userId,
        details: { passkeyId: passkey.id },
      })
      await jobs.enqueue(tx, mail, [{ kind: 'second-factor', userId, event: 'passkey-copied' }])
    })
    return false
  }

  return {
    /** @returns what the browser is asked for */
    async beginPasskey(subject: ChallengeSubject): Promise<PasskeyRequestOptions> {
      const passkeys = (await findPasskeys(pool, subject.userId)).filter(({ isDisabled }) => !isDisabled)
      const challenge = webAuthn.newChallenge()
      await putChallenge(pool, subject, challenge, CHALLENGE_SECONDS)
      return webAuthn.requestOptions(challenge, passkeys)
    },

    /** @throws ApiError 401 invalid_credentials, 429 rate_limited */
    async require(subject: ChallengeSubject, answer: SecondFactorAnswer, clientKey: string): Promise<void> {
      const { userId } = subject
      const { code, recoveryCode, passkey } = answer
      const refund = await attempt(userId, clientKey, { isGuessable: code !== undefined })
      if (code !== undefined && !(await isRightCode(userId, code))) throw wrongCode()
      if (recoveryCode !== undefined && !(await isRightRecoveryCode(userId, recoveryCode))) throw wrongCode()
      if (passkey !== undefined && !(await isRightPasskey(subject, passkey))) throw wrongPasskey()
      await refund()
    },

    /** The code that confirms a new secret. @throws ApiError 401 invalid_credentials, 429 rate_limited */
    async requireConfirmingCode(
      userId: string,
      code: string,
      clientKey: string,
    ): Promise<{ secret: string; step: number }> {
      const encrypted = await findSecret(pool, userId, 'pending')
      if (!encrypted)
        throw new ApiError(
          400,
          'not_begun',
          'One-time codes are not being set up, or it took longer than an hour. Start again.',
        )
      const refund = await attempt(userId, clientKey, { isGuessable: true })
      const step = await codes.stepOf(cipher.decrypt('one-time-code', encrypted), code)
      if (step === undefined) throw wrongCode()
      await refund()
      return { secret: encrypted, step }
    },
  }
}
