// Limits attempts to log in. The policy and its reasons: docs/decisions/0005-login-throttle.md.
import { createHmac, randomBytes } from 'node:crypto'
import { isEqual } from '../../../platform/constant-time.ts'
import type { CookieJar } from '../../../platform/http/cookies.ts'
import { nestedWindows } from '../../../platform/http/limit-policy.ts'
import type { LimitSubject, Limits } from '../../../platform/http/limits.ts'

/** One client on one account. Nested windows: repeated attempts wait a minute, then 15 minutes, then a day. */
const CALLER = nestedWindows('login-caller', [
  [5, 60],
  [15, 900],
  [50, 86_400],
])
/** One address on all accounts: credential stuffing. */
const ADDRESS = nestedWindows('login-address', [[100, 3600]])
/** One account from all clients without a device mark for it: botnets. */
const ACCOUNT = nestedWindows('login-account', [[100, 3600]])

const tooOften = (seconds: number) => `Too many login attempts. Try again in ${seconds} seconds.`

/** The account a device mark is for. A mark is valid until the password it was issued for is changed. */
export interface MarkedAccount {
  id: string
  passwordHash: string
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>

/** `cookies` is the Cookie header of the request. */
export function createLoginThrottle({ limits, secret, jar }: { limits: Limits; secret: string; jar: CookieJar }) {
  const macOf = ({ id, passwordHash }: MarkedAccount, nonce: string) =>
    createHmac('sha256', secret).update(`login device\n${id}\n${passwordHash}\n${nonce}`).digest('base64url')

  /** The caller's valid device mark for the account's current password, if there is one. */
  function markOf(account: MarkedAccount, cookies: string | undefined): string | undefined {
    return jar.read(cookies, 'device').find((mark) => {
      const [nonce = '', mac = ''] = mark.split('.')
      return isEqual(mac, macOf(account, nonce))
    })
  }

  return {
    /**
     * Counts an attempt before the password is checked, so that parallel attempts can't exceed the limit.
     * @param login.account the account with this address; undefined if there is none or it has no password
     * @param caller.clientKey hash of the address
     * @returns a function that refunds the attempt; call it if the password was right
     * @throws ApiError 429 rate_limited with `Retry-After`; 503 if attempts can't be counted
     */
    async attempt(
      { email, account: known }: { email: string; account: MarkedAccount | undefined },
      { clientKey, cookies }: { clientKey: string; cookies: string | undefined },
    ) {
      const account = createHmac('sha256', secret).update(`login account\n${email}`).digest('base64url').slice(0, 22)
      const mark = known && markOf(known, cookies)
      const subjects: LimitSubject[] = mark
        ? [{ key: `${account}:${mark.split('.')[0]}`, policies: CALLER }]
        : [
            { key: `${account}:${clientKey}`, policies: CALLER },
            { key: clientKey, policies: ADDRESS },
            { key: account, policies: ACCOUNT },
          ]
      for (const subject of subjects) await limits.consume({ ...subject, refusal: tooOften })
      return async () => {
        for (const subject of subjects) await limits.refund(subject)
      }
    },
    /** Marks a device where this account's password was entered or set. @returns a `Set-Cookie` header */
    markDevice(account: MarkedAccount, cookies: string | undefined) {
      const known = markOf(account, cookies)
      if (known) return jar.set('device', known)
      const nonce = randomBytes(16).toString('base64url')
      return jar.set('device', `${nonce}.${macOf(account, nonce)}`)
    },
  }
}
