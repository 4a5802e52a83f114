// Setup codes. Where rights need a second factor, a password must not be enough to set the first one up. So that takes
// a code that only the machine of the directory gives (docs/decisions/0079).
import { validate as isUuid } from 'uuid'
import type { Deps } from '../../../deps.ts'
import { type Db, inTransaction, type Pool } from '../../../platform/db/pool.ts'
import { normalizeEmail } from '../../../platform/email-address.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { recordAction } from '../../audit/index.ts'
import { mail } from '../../mail/index.ts'
import { needsSecondFactor, type StaffAccount, type StaffSettings } from '../administrators.ts'
import { deleteSessionsOf } from '../login/sessions.sql.ts'
import { deleteTokensOf, hasToken, replaceToken } from '../mails/email-tokens.sql.ts'
import { requireUser } from '../profile.store.ts'
import { lockAccount } from '../users.store.ts'
import { newSetupCode, setupCodeHash } from './one-time-codes.ts'
import { deleteSecondFactor } from './second-factor.sql.ts'

export const SETUP_CODE_MINUTES = 60

/** Entries of the audit log about what the operator did: a command has no account of its own. */
const byCommand = (id: string, details: object = {}) =>
  ({ actorId: id, targetType: 'user', targetId: id, details: { by: 'command', ...details } }) as const

/** @param account its id, since accounts of other platforms may have no address, or its address */
function findAccount({ prisma }: Db, account: string) {
  const name = account.trim()
  const where = isUuid(name) ? { id: name } : { email: normalizeEmail(name) ?? name }
  return prisma.user.findUnique({ where, select: { id: true, email: true } })
}

/**
 * A command calls this.
 * @param account its id or address @returns a code, which replaces an earlier one; undefined if
 * there is no such account
 */
export const createSetupCode = (pool: Pool, account: string): Promise<string | undefined> =>
  inTransaction(pool, async (tx) => {
    const user = await findAccount(tx, account)
    if (!user) return undefined
    const code = newSetupCode()
    await replaceToken(tx, {
      userId: user.id,
      purpose: 'setup',
      email: user.email ?? '',
      tokenHash: setupCodeHash(user.id, code),
      lifetimeSeconds: SETUP_CODE_MINUTES * 60,
    })
    await recordAction(tx, { ...byCommand(user.id), action: 'user.setup-code.create' })
    return code
  })

/**
 * A command calls this for users who have lost all factors. Mails the user and ends all
 * sessions, since another person may have one.
 * @param account its id or address
 * @returns false if there is no such account, or nothing to remove
 */
export const removeSecondFactor = ({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>, account: string): Promise<boolean> =>
  inTransaction(pool, async (tx) => {
    const user = await findAccount(tx, account)
    if (!user) return false
    const { id } = user
    await lockAccount(tx, id)
    if (!(await deleteSecondFactor(tx, id))) return false
    const sessions = await deleteSessionsOf(tx, id)
    await recordAction(tx, { ...byCommand(id, { sessions }), action: 'user.second-factor.remove' })
    await jobs.enqueue(tx, mail, [{ kind: 'second-factor', userId: id, event: 'reset' }])
    return true
  })

/**
 * Whether the account's rights need a second factor, as if its address were confirmed: a factor that is set up before
 * that would count afterwards.
 */
export const needsSetupCode = (user: StaffAccount, settings: StaffSettings): boolean =>
  needsSecondFactor({ ...user, emailVerified: true }, settings)

/** @throws ApiError 400 setup_code_needed */
export async function requireSetupCode(
  db: Db,
  { settings }: Pick<Deps, 'settings'>,
  { userId, setupCode }: { userId: string; setupCode: string | undefined },
): Promise<void> {
  if (!needsSetupCode(await requireUser(db, userId), settings)) return
  const token = setupCode && { userId, purpose: 'setup' as const, tokenHash: setupCodeHash(userId, setupCode) }
  if (token && (await hasToken(db, token))) return
  throw new ApiError(
    400,
    'setup_code_needed',
    'Your rights need a second factor, so its first one takes a valid setup code: run `npm run accounts -- setup-code <e-mail address or account id>` ' +
      'where the directory runs.',
  )
}

/** Once the first one is set up. */
export const deleteSetupCode = (db: Db, userId: string) => deleteTokensOf(db, userId, ['setup'])
