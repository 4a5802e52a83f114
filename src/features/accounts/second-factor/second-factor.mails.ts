// Mails about the second factor, to its owner: what changed, and what another person may be trying.
import type { MailRequest, SecondFactorEvent } from '../../mail/index.ts'
import { FEW_RECOVERY_CODES } from './one-time-codes.ts'

type SecondFactorMail = Extract<MailRequest, { kind: 'second-factor' }>

// Lines of at most 76 characters, as those of the other mails.
const CHANGED: Record<
  Exclude<SecondFactorEvent, 'passkey-copied' | 'codes-guessed' | 'recovery-code-used' | 'reset'>,
  readonly [subject: string, sentence: string]
> = {
  'passkey-added': ['A passkey was added to your account', 'A passkey was added to your account at'],
  'passkey-removed': ['A passkey was removed from your account', 'A passkey was removed from your account at'],
  'codes-added': ['One-time codes were set up for your account', 'One-time codes were set up for your account at'],
  'codes-removed': [
    'One-time codes were removed from your account',
    'One-time codes were removed from your account at',
  ],
  'recovery-codes-replaced': ['You have new recovery codes', 'New recovery codes were made for your account at'],
}

/** @param base `PUBLIC_BASE_URL` */
export function writeSecondFactorMail(base: string, request: SecondFactorMail): { subject: string; text: string } {
  const { event, recoveryCodesLeft: left = 0 } = request
  if (event === 'recovery-code-used') return recoveryCodeUsed(base, left)
  if (event === 'passkey-copied') return passkeyCopied(base)
  if (event === 'codes-guessed') return codesGuessed(base)
  if (event === 'reset') return reset(base)
  const [subject, sentence] = CHANGED[event]
  const isAdded = event === 'passkey-added' || event === 'codes-added'
  return {
    subject,
    text: `${sentence}
${base}.
${isAdded ? '\nAPI keys and members of your teams stay as they are. Check your API keys.\n' : ''}
If it was not you, another person has access to your account. Set a new
password, which ends all sessions, and then check your passkeys and codes:

${base}/password
`,
  }
}

const recoveryCodeUsed = (base: string, left: number) => ({
  subject: left <= FEW_RECOVERY_CODES ? 'You have few recovery codes left' : 'A recovery code was used',
  text: `A recovery code of your account at
${base}
was used. ${left === 1 ? '1 code is' : `${left} codes are`} left.
${left <= FEW_RECOVERY_CODES ? `\nMake new ones before you need them:\n\n${base}/account/second-factor\n` : ''}
If it was not you, set a new password at once, which ends all sessions, and
make new recovery codes:

${base}/password
`,
})

const passkeyCopied = (base: string) => ({
  subject: 'One of your passkeys may have been copied',
  text: `A passkey of your account at
${base}
was used with an old counter, so there may be a copy of it. It was refused,
and is not accepted any more.

Log in with another passkey, a one-time code or a recovery code, remove that
passkey, and add a new one:

${base}/account/second-factor
`,
})

const codesGuessed = (base: string) => ({
  subject: 'Another person may know your password',
  text: `Too many wrong one-time codes were entered for your account at
${base},
each after the right password or by a linked account of another platform. No
one got in. For a while, one-time codes are refused; passkeys and recovery
codes still work.

If it was not you, set a new password:

${base}/password
`,
})

const reset = (base: string) => ({
  subject: 'The second factor of your account was removed',
  text: `The operator of
${base}
removed the passkeys, one-time codes and recovery codes of your account, and
ended all sessions. You log in with your password alone now.

If you did not ask for it, tell the operator. Then log in and set the second
factor up again:

${base}/account/second-factor
`,
})
