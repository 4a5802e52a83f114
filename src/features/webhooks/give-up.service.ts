// The end of an endpoint that nobody answers at, and the mail that tells its owner.
import type { Deps } from '../../deps.ts'
import { createVault } from '../../platform/config/vault.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { type Mail, mail } from '../mail/index.ts'
import { cancelPending, disableEndpoint, findDisabled, type GiveUpReason } from './give-up.sql.ts'
import { openUrl } from './sealed-url.ts'

/**
 * Disables the server's endpoint, cancels what was to be sent to it and has its owner told, all in the caller's transaction. One
 * that is disabled already, or leads elsewhere by now, stays as it is. Of several endpoints, the lowest id first, as everybody locks them.
 * @param end `storedUrl`: where no answer comes from
 * @returns whether it was disabled
 */
export async function giveUpEndpoint(
  tx: Db,
  jobs: Pick<Jobs, 'enqueue'>,
  end: { serverId: string; storedUrl: string; reason: GiveUpReason },
): Promise<boolean> {
  const { serverId } = end
  const disabled = await disableEndpoint(tx, end)
  if (!disabled) return false
  await cancelPending(tx, serverId)
  if (disabled.ownerId) await jobs.enqueue(tx, mail, [{ kind: 'webhook-disabled', userId: disabled.ownerId, serverId }])
  return true
}

const WHY: Record<GiveUpReason, (host: string) => string> = {
  gone: (host) => `${host} answered that it is gone (410)`,
  failing: (host) => `every attempt to reach ${host} failed for five days`,
}

/** The mail of kind `webhook-disabled`. @returns undefined when there is nobody to write to, or nothing to tell any more */
export async function writeWebhookDisabled(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  { userId, serverId }: { userId: string; serverId: string },
): Promise<Mail | undefined> {
  const disabled = await findDisabled(pool, serverId, userId)
  if (!disabled) return undefined
  const { email, username, serverName, storedUrl, reason } = disabled
  const url = openUrl(createVault(settings), storedUrl)
  const host = url === undefined ? 'its address' : new URL(url).host
  const webhook = `${settings.PUBLIC_BASE_URL}/api/servers/${serverId}/webhook`
  return {
    to: email,
    subject: `The webhook of ${serverName} was disabled`,
    text: [
      `Hello ${username},`,
      `the webhook of your server "${serverName}" was disabled: ${WHY[reason](host)}. Nothing is sent to it any more, and what was not delivered yet has been canceled.`,
      `Once it is mended, set it again with PUT ${webhook}; its secret stays the same. What was canceled is listed by GET ${webhook}/deliveries and can be sent again from there.`,
    ].join('\n\n'),
  }
}
