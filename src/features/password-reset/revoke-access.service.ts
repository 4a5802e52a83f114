// Revokes the access to an account besides its password, which several features grant.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { deleteIdentities, deleteSecondFactor } from '../accounts/index.ts'
import { deleteAlertsOf, deleteBrowsersOf } from '../alerts/index.ts'
import { revokeKeysOf } from '../api-keys/index.ts'
import { recordAction } from '../audit/index.ts'
import type { RevokedAccess } from '../mail/index.ts'
import { deleteChatWebhookOf, deleteSubscriptionsOf } from '../notifications/index.ts'
import { revokeTeamsOf } from '../teams/index.ts'
import { deleteVoteKeysOf } from '../votes/index.ts'

/**
 * Removes what gives access to the account or its servers: API keys and vote keys, identities, the chat webhook, push
 * browsers, and teams, with their invitations and hand-overs. Servers, votes and payments stay. Writes the audit log.
 *
 * If the reset verifies the address, also removes subscriptions and alerts, which the owner of the address did not
 * request, and the second factor, which would keep the owner out. Otherwise the second factor stays: to read the mails
 * of an account must not be enough to log in.
 * @param userId of an account that the transaction has locked
 * @param before the account as it was before the reset, how many browsers got its alerts, and how many of its sessions
 * have ended, with which most of the browsers were removed
 * @returns what was removed, for the mail
 */
export async function revokeAccess(
  tx: Db,
  deps: Pick<Deps, 'jobs'>,
  userId: string,
  before: {
    emailVerified: boolean
    hasChat: boolean
    hasGamePlatform: boolean
    pushBrowsers: number
    sessions: number
  },
): Promise<RevokedAccess> {
  const { hasChat, hasGamePlatform, emailVerified, pushBrowsers, sessions } = before
  await deleteIdentities(tx, userId)
  await deleteBrowsersOf(tx, userId)
  if (!emailVerified) await deleteAlertsOf(tx, userId)
  const teams = await revokeTeamsOf(tx, deps, userId, { members: true })
  const revoked: RevokedAccess = {
    isFirstProof: !emailVerified,
    sessions,
    identities: [...(hasChat ? (['chat'] as const) : []), ...(hasGamePlatform ? (['gameplatform'] as const) : [])],
    apiKeys: await revokeKeysOf(tx, userId),
    voteKeys: await deleteVoteKeysOf(tx, userId),
    chatWebhook: await deleteChatWebhookOf(tx, userId),
    pushBrowsers,
    secondFactor: emailVerified ? false : await deleteSecondFactor(tx, userId),
    invitations: teams.invitations,
    members: teams.members,
    subscriptions: emailVerified ? 0 : await deleteSubscriptionsOf(tx, userId),
  }
  await recordAction(tx, {
    actorId: userId,
    action: 'user.drop_access',
    targetType: 'user',
    targetId: userId,
    details: revoked,
  })
  return revoked
}
