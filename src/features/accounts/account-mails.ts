// The mails accounts send. Tokens are made here, as the mail is written, so that none ever lies in a queue.
import { createHash, randomBytes } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import type { Mail, MailOrder } from '../mail/index.ts'
import { type Purpose, replaceToken } from './email-tokens.sql.ts'
import { mailedLink } from './pages.ts'
import { findMailUser } from './users.sql.ts'

const LIFETIME_SECONDS: Record<Purpose, number> = { verify: 24 * 3600, reset: 3600 }

export type AccountMailOrder = Extract<MailOrder, { kind: 'verify-email' | 'reset-password' | 'password-changed' }>

/**
 * Writes one mail; a token in it replaces the one of an earlier mail. Names nothing the recipient has typed: an account can be
 * made with anybody's address, and its mail must not carry somebody else's words there.
 * @returns undefined when there is nothing to send any more: the account is gone, banned or verified by now
 */
export async function writeMail(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  order: AccountMailOrder,
): Promise<Mail | undefined> {
  const user = await findMailUser(pool, order.userId)
  if (!user?.email || user.isBanned) return undefined
  const { id, email: to } = user
  const base = settings.PUBLIC_BASE_URL
  const newToken = async (purpose: Purpose) => {
    const token = randomBytes(32).toString('base64url')
    const tokenHash = createHash('sha256').update(token).digest()
    await replaceToken(pool, { tokenHash, userId: id, purpose, email: to, lifetimeSeconds: LIFETIME_SECONDS[purpose] })
    return token
  }

  if (order.kind === 'verify-email')
    return user.emailVerified ? undefined : { to, ...verification(base, await newToken('verify')) }
  if (order.kind === 'reset-password') return { to, ...reset(base, await newToken('reset')) }
  return { to, ...passwordChanged(base) }
}

// Lines of at most 76 characters, where the address allows: a longer one has the mail sent as quoted-printable, whose file nobody
// can copy a line from (RFC 2045 §6.7).
const verification = (base: string, token: string) => ({
  subject: 'Confirm your e-mail address',
  text: `Somebody, probably you, made an account with this e-mail address at
${base}.

To confirm that the address is yours, open this page within 24 hours:

${mailedLink(base, '/confirm', token)}

Or use the token by itself:

    ${token}

as with curl:

    curl ${base}/api/auth/verify-email \\
      -H 'Content-Type: application/json' \\
      -d '{"token":"${token}"}'

If it was not you, do nothing.
`,
})

const reset = (base: string, token: string) => ({
  subject: 'Set a new password',
  text: `Somebody, probably you, asked for a new password for your account at
${base}.

To set one, open this page within one hour:

${mailedLink(base, '/password', token)}

Or use the token by itself:

    ${token}

as with curl:

    curl ${base}/api/auth/password-reset/confirm \\
      -H 'Content-Type: application/json' \\
      -d '{"password":"the new password",
           "token":"${token}"}'

All your sessions end with that. If it was not you, do nothing: your
password stays as it is.
`,
})

const passwordChanged = (base: string) => ({
  subject: 'Your password was changed',
  text: `The password of your account at
${base}
was changed, and all other sessions were ended.

If it was not you, ask for a new password at once:

    curl ${base}/api/auth/password-reset \\
      -H 'Content-Type: application/json' \\
      -d '{"email":"your address"}'
`,
})
