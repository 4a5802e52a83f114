// A session that was left open must not delete an account, or lock its owner out, if nothing else protects it
// (docs/decisions/0079).
import type { Db } from '../../../platform/db/pool.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { CONFIRMED_MINUTES } from '../second-factor/second-factor.schema.ts'
import { hasPasswordOrRecentLogin, hasSecondFactor } from '../second-factor/second-factor.sql.ts'
import type { SessionRef } from './sessions.ts'

/** Whether the session is old, and its account has neither a password nor a second factor. */
export const isOldSession = async (db: Db, { userId, sessionId }: SessionRef): Promise<boolean> =>
  !(await hasPasswordOrRecentLogin(db, sessionId)) && !(await hasSecondFactor(db, userId))

/** @param what the session would do @throws ApiError 403 confirmation_needed if `isOldSession` */
export async function refuseOldSession(db: Db, session: SessionRef, what: string): Promise<void> {
  if (!(await isOldSession(db, session))) return
  throw new ApiError(
    403,
    'confirmation_needed',
    `An account without a password needs a login of the last ${CONFIRMED_MINUTES} minutes for ${what}: log out and in again, then ` +
      'send the request again.',
  )
}
