// Limits of mails that callers cause: they can type another person's address.

import { hashToken } from '../../../platform/hash-token.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import type { LimitPolicy } from '../../../platform/http/limit-policy.ts'
import type { Limits } from '../../../platform/http/limits.ts'
import { mailboxOf } from '../account-fields.ts'

/** Mails to one mailbox: enough if one gets lost, too few to fill it. */
const MAILS: LimitPolicy[] = [{ name: 'account-mail', limit: 3, windowSeconds: 3600 }]
/** Mails that one client address requests, for any account: registrations, resets and verifications together. */
const REQUESTS: LimitPolicy[] = [{ name: 'mail-orders', limit: 30, windowSeconds: 3600 }]

/**
 * Whose count a mail is part of. `unproven`: that of the mailbox, whatever its tag, since its owner may know nothing of
 * the account. `proven`: that of the address alone, so that mails that strangers request for other addresses of the
 * mailbox do not use it up. `invited`: that of the mailbox, for invitations of other users. `none`: no account has the
 * address, and no mail is sent.
 */
type Standing = 'unproven' | 'proven' | 'invited' | 'none'

export interface Recipient {
  email: string
  standing: Standing
}

export type MailAllowance = ReturnType<typeof createMailAllowance>

export function createMailAllowance(limits: Pick<Limits, 'consume'>) {
  /** @throws ApiError 429 rate_limited */
  async function consumeMail({ email, standing }: Recipient): Promise<void> {
    const counted = standing === 'unproven' || standing === 'invited' ? mailboxOf(email) : email
    const key = hashToken(`mail\n${standing}\n${counted}`).toString('base64url').slice(0, 22)
    await limits.consume({ key, policies: MAILS })
  }

  return {
    /** Counts a request that may have a mail sent, before anything is looked up. @throws ApiError 429 rate_limited */
    async consumeRequest(clientKey: string): Promise<void> {
      const refusal = (seconds: number) =>
        `Too many registrations and requests for mails from your network. Try again in ${seconds} seconds.`
      await limits.consume({ key: clientKey, policies: REQUESTS, refusal })
    },
    consumeMail,
    /** The same without an error, because the count tells of what other callers did. */
    async mayBeMailed(recipient: Recipient): Promise<boolean> {
      try {
        await consumeMail(recipient)
        return true
      } catch (error) {
        if (error instanceof ApiError && error.status === 429) return false
        throw error
      }
    },
  }
}
