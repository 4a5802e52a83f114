// Logs in by an identity at a provider, creates accounts for identities, links and unlinks identities.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../../deps.ts'
import { isUniqueViolation } from '../../../platform/db/pg-errors.ts'
import { type Db, inTransaction } from '../../../platform/db/pool.ts'
import type { SessionActor } from '../../../platform/http/actor.ts'
import { confirmationNeeded } from '../../../platform/http/authorize.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { JobQueue } from '../../../platform/queue/jobs.ts'
import { recordAction } from '../../audit/index.ts'
import { mail } from '../../mail/index.ts'
import { email as emailField, username as usernameField } from '../account-fields.ts'
import { banned } from '../accounts.service.ts'
import { isOldSession, refuseOldSession } from '../login/old-session.ts'
import { deleteOtherSessions } from '../login/sessions.sql.ts'
import { type LoginResult, lockForSession, requireActiveSession, type Sessions } from '../login/sessions.ts'
import type { MailAllowance } from '../mails/mail-allowance.ts'
import {
  findIdentity,
  findUserByIdentity,
  insertUserOfIdentity,
  linkIdentity,
  PLATFORM_NAMES,
  type Provider,
  unlinkIdentity,
} from './identities.store.ts'
import { loginFailed } from './provider-errors.ts'

export interface Identity {
  provider: Provider
  /** The provider's stable id of the user. */
  id: string
  /** Candidates for the username of a new account, best first; some may be invalid here. */
  names: string[]
  /** Present only if the provider has verified it. */
  email: string | undefined
}

const LAST_RESORT_NAME = 'Player'
/** Of an account, in the message of a refusal. */
const CHANGE = 'a change of its linked platforms'
/** Maximum length of a name, as account-fields.ts normalizes it. */
const MAX_NAME = 50

/** `cookies` is the Cookie header of the request. */
export function createProviderLogin(
  options: Pick<Deps, 'pool' | 'jobs'> & { sessions: Sessions; allowance: Pick<MailAllowance, 'mayBeMailed'> },
) {
  const { pool, jobs, sessions, allowance } = options

  async function findOrMakeUser(identity: Identity): Promise<string> {
    const existing = await findUserByIdentity(pool, identity.provider, identity.id)
    if (existing) return existing
    const address = emailField.safeParse(identity.email)
    // If an account has this address, the new account gets none: the owner of the identity and the owner of that
    // account may be different people. The owner of that account can log in and link the identity.
    const candidates = address.success ? [address.data, null] : [null]
    for (const email of candidates) {
      const made = await makeUser(identity, email)
      const id = made ?? (await findUserByIdentity(pool, identity.provider, identity.id))
      if (id) return id
    }
    throw new Error('the identity is neither free nor linked')
  }

  /** @returns undefined if the identity or the address was taken concurrently */
  async function makeUser(identity: Identity, email: string | null): Promise<string | undefined> {
    const id = uuidv7()
    return inTransaction(pool, async (tx) => {
      const user = { id, identity: identity.id, username: nameFor(identity), email }
      if (!(await insertUserOfIdentity(tx, identity.provider, user))) return undefined
      // The provider's verification is enough to log in. Rights that depend on the address need our own mail.
      if (email !== null && (await allowance.mayBeMailed({ email, standing: 'unproven' })))
        await jobs.enqueue(tx, mail, [{ kind: 'verify-email', userId: id }])
      return id
    })
  }

  return {
    /**
     * Logs in to the account of an identity, and creates the account if there is none. Ends the session of the cookies.
     * @throws ApiError 403 if the account is banned; 400 provider_login_failed if the identity was
     * unlinked concurrently
     */
    async logIn(identity: Identity, cookies: string | undefined): Promise<LoginResult> {
      const userId = await findOrMakeUser(identity)
      const proof = { by: identity.provider, identity: identity.id }
      const login = await sessions.open({ userId, cookies, proof })
      if (login) return login
      if ((await findUserByIdentity(pool, identity.provider, identity.id)) === userId) throw banned()
      throw loginFailed('unlinked', 'The identity was unlinked from its account. Start again.')
    },

    /**
     * Links an identity to the account whose session started the flow. Ends the sessions that a replaced identity has
     * opened.
     * @throws ApiError 400 identity_taken; provider_login_failed if the session has ended or changed;
     * 403 confirmation_needed
     */
    async link(identity: Identity, userId: string, cookies: string | undefined): Promise<void> {
      const actor = await sessions.bySession(cookies)
      if (actor?.userId !== userId) throw sessionChanged()
      const isFree = await inTransaction(pool, (tx) => replaceIdentity(tx, jobs, identity, actor)).catch(refuseTaken)
      if (!isFree) throw identityTaken(identity.provider)
    },

    mayLink: async (actor: SessionActor): Promise<boolean> => actor.isConfirmed && !(await isOldSession(pool, actor)),

    /**
     * Ends the sessions that the identity has opened, except the caller's.
     * @throws ApiError 400 last_login_method; 403 confirmation_needed
     */
    async unlink(tx: Db, actor: SessionActor, provider: Provider): Promise<void> {
      await requireActiveSession(tx, actor)
      const before = await findIdentity(tx, provider, actor.userId)
      if (before === null) return
      await refuseOldSession(tx, actor, CHANGE)
      if (!(await unlinkIdentity(tx, provider, actor.userId))) throw lastLoginMethod(provider)
      await deleteOtherSessions(tx, actor, provider)
      await report(tx, jobs, actor, { provider, identity: null, formerIdentity: before })
    },
  }
}

/**
 * The owner hears of it: a stolen session could have done it, to get in again later. The identities in the audit log,
 * which the deletion of the account erases, tell the operator whose the account was.
 */
async function report(
  tx: Db,
  jobs: JobQueue,
  { userId }: SessionActor,
  details: { provider: Provider; identity: string | null; formerIdentity: string | null },
): Promise<void> {
  const isLinked = details.identity !== null
  const action = isLinked ? 'user.identity.link' : 'user.identity.unlink'
  await recordAction(tx, { actorId: userId, targetType: 'user', targetId: userId, action, details })
  const event = `${details.provider}-${isLinked ? 'linked' : 'unlinked'}` as const
  await jobs.enqueue(tx, mail, [{ kind: 'account-access', userId, event }])
}

/** @returns false if another user has the identity */
async function replaceIdentity(
  tx: Db,
  jobs: JobQueue,
  { provider, id }: Identity,
  actor: SessionActor,
): Promise<boolean> {
  if (!(await lockForSession(tx, actor))) throw sessionChanged()
  const before = await findIdentity(tx, provider, actor.userId)
  if (before === id) return true
  // Also a further identity: a login by it would be recent, and could then unlink the other one.
  if (!actor.isConfirmed) throw confirmationNeeded()
  await refuseOldSession(tx, actor, CHANGE)
  if (!(await linkIdentity(tx, provider, actor.userId, id))) return false
  if (before !== null) await deleteOtherSessions(tx, actor, provider)
  await report(tx, jobs, actor, { provider, identity: id, formerIdentity: before })
  return true
}

const sessionChanged = () => loginFailed('session_changed', 'Your session has changed since you started. Start again.')

const lastLoginMethod = (provider: Provider) =>
  new ApiError(
    400,
    'last_login_method',
    `The ${PLATFORM_NAMES[provider]} is your only way to log in. Set a password or link the other platform first.`,
  )

const identityTaken = (provider: Provider) =>
  new ApiError(
    400,
    'identity_taken',
    `This account of the ${PLATFORM_NAMES[provider]} is linked to another account here.`,
  )

/** If two accounts link one identity at the same time, the unique index rejects the second. */
function refuseTaken(error: unknown): false {
  if (isUniqueViolation(error)) return false
  throw error
}

function nameFor({ names }: Identity): string {
  for (const name of names) {
    const parsed = usernameField.safeParse(name.trim().slice(0, MAX_NAME))
    if (parsed.success) return parsed.data
  }
  return LAST_RESORT_NAME
}
