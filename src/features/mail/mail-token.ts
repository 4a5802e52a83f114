// The token in a mail's link, which is derived instead of random.
import { createHmac, hkdfSync } from 'node:crypto'
import type { ProcessSettings } from '../../platform/config/settings.ts'

interface TokenSource {
  /** The job that sends the mail. */
  jobId: string
  /** What the token is for. It can't be used for another purpose. */
  purpose: 'verify' | 'reset' | 'stop-claim'
  /**
   * The recipient's address, and what the use of the token changes. Once either has changed, a repeat of the mail has
   * another token: no token is mailed to two addresses, and no used one becomes valid again.
   */
  boundTo: readonly string[]
}

/**
 * Equal for each attempt to send a mail: a repeat has the Message-ID of the mail that may have arrived, and receivers
 * drop one of the two. Can't be guessed without APP_SECRET. Store only its hash (`hashToken`).
 */
export function deriveMailToken(
  { APP_SECRET }: Pick<ProcessSettings, 'APP_SECRET'>,
  { jobId, purpose, boundTo }: TokenSource,
): string {
  const key = Buffer.from(hkdfSync('sha256', APP_SECRET, '', 'server-directory mail token', 32))
  return createHmac('sha256', key)
    .update([purpose, jobId, ...boundTo].join('\n'))
    .digest('base64url')
}
