// The token in notification mails, by which their recipient changes what is mailed without logging
// in, and nothing else.
import { createHmac } from 'node:crypto'
import { NIL, parse, stringify } from 'uuid'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { isEqual } from '../../platform/constant-time.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'

/** 16 bytes each. */
const ID_LENGTH = 22
const SIGNATURE_LENGTH = 22
export const TOKEN_PATTERN = new RegExp(`^[\\w-]{${ID_LENGTH + SIGNATURE_LENGTH}}$`)

export type TokenSecrets = Pick<ProcessSettings, 'APP_SECRET' | 'APP_SECRET_PREVIOUS'>

/** Signed, so that none has to be stored; the address is part of it, so a mail to a former address changes nothing. */
const sign = (secret: string, userId: string, email: string) =>
  createHmac('sha256', secret)
    .update(`mail settings\n${userId}\n${email}`)
    .digest('base64url')
    .slice(0, SIGNATURE_LENGTH)

export const mailSettingsToken = (secrets: TokenSecrets, userId: string, email: string): string =>
  Buffer.from(parse(userId)).toString('base64url') + sign(secrets.APP_SECRET, userId, email)

/** The page that changes which mails are sent. The token is in the fragment, which stays in the browser. */
export const mailSettingsLink = (base: string, token: string): string => `${base}/notifications#${token}`

/** @returns the user's id. @throws ApiError 400 `invalid_token` */
export async function requireRecipient(db: Db, secrets: TokenSecrets, token: string): Promise<string> {
  const userId = idIn(token)
  const user = await db.prisma.user.findUnique({ where: { id: userId ?? NIL }, select: { email: true } })
  const email = user?.email
  const signature = token.slice(ID_LENGTH)
  const { APP_SECRET, APP_SECRET_PREVIOUS } = secrets
  const isSigned = [APP_SECRET, APP_SECRET_PREVIOUS].some(
    (secret) => secret && userId && email && isEqual(signature, sign(secret, userId, email)),
  )
  if (!userId || !isSigned)
    throw new ApiError(400, 'invalid_token', 'This link is not valid, or belongs to a former address.')
  return userId
}

function idIn(token: string): string | undefined {
  try {
    return stringify(Buffer.from(token.slice(0, ID_LENGTH), 'base64url'))
  } catch {
    return undefined // not a UUID
  }
}
