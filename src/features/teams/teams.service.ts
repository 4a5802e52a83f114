// The rules of inviting, accepting and handing over, each in the transaction that has locked the server: of two changes
// at once, one happens before the other and is seen by it.
import { v7 as uuidv7 } from 'uuid'
import type * as z from 'zod'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { type Accounts, lockAccountShared } from '../accounts/index.ts'
import { recordAction } from '../audit/index.ts'
import { requireListingsLeft } from '../listings/index.ts'
import { mail } from '../mail/index.ts'
import { notify, notifyUsers } from '../notifications/index.ts'
import { deleteCredential, transferCredential } from '../rcon/index.ts'
import { deleteRewardSettings, eraseRewardRecords, transferRewardSettings } from '../rewards/index.ts'
import { deleteTeams, findManaged, type ManagedServer, type MemberRole, type Transfer } from '../servers/index.ts'
import { deleteVoteKeys, transferVoteKeys } from '../votes/index.ts'
import { deleteEndpointsOfServer } from '../webhooks/index.ts'
import {
  deleteInvitationsTo,
  deleteOtherOffer,
  deleteReceivedInvitation,
  findEmail,
  findMailAddress,
  findUsersNamed,
  insertInvitation,
  lockAccountsOfInvitation,
  type NewInvitation,
} from './invitations.sql.ts'
import { notifyOwner } from './notices.ts'
import { type AcceptInvitation, type InviteMember, NO_SUCH_INVITATION, NO_SUCH_MEMBER } from './teams.schema.ts'
import { countTeam, findMembers, findTeam, passOnTeam, transferServer, upsertMember } from './teams.sql.ts'

/** Maximum per server: members, and invitations that wait for an answer. */
export const MAX_TEAM = 30

export interface TeamRules {
  jobs: JobQueue
  settings: Pick<ProcessSettings, 'LISTINGS_PER_ACCOUNT'>
  accounts: Pick<Accounts, 'mayBeInvited'>
}

/** @throws ApiError 403 for an administrator: it is the owner who shares a server or gives it away */
function requireOwner({ isOwner }: ManagedServer): void {
  if (!isOwner) throw new ApiError(403, 'forbidden', 'Only the owner of this server may do this.')
}

/**
 * Invites an account by its name, or an address, whether or not an account has it.
 * @returns with the id of the account, if it was named
 * @throws ApiError 403; 400 validation_failed, already_member, team_full
 */
export async function invite(
  tx: Db,
  rules: TeamRules,
  { server, actorId }: { server: ManagedServer; actorId: string },
  { username, email, role, mayUseRcon }: z.output<typeof InviteMember>,
) {
  requireOwner(server)
  const userId = username === undefined ? null : await requireInvitable(tx, server.id, { username, actorId })
  if (email !== undefined && email === (await findEmail(tx, actorId)))
    throw validationFailed([{ path: 'body.email', message: 'is your own' }])
  const recipient = { userId, email: email ?? null }
  if ((await countTeam(tx, server.id, recipient)) >= MAX_TEAM)
    throw new ApiError(400, 'team_full', `A server has at most ${MAX_TEAM} members and open invitations.`)
  const invitation = { id: uuidv7(), serverId: server.id, ...recipient, role, mayUseRcon }
  return { userId, invitation: { ...(await sendInvitation(tx, rules, invitation)), username: username ?? null } }
}

/** @returns the id of the account with this name */
async function requireInvitable(
  tx: Db,
  serverId: string,
  { username, actorId }: { username: string; actorId: string },
) {
  const refuse = (message: string) => validationFailed([{ path: 'body.username', message }])
  const [user, another] = await findUsersNamed(tx, username)
  if (!user) throw refuse('is no account’s name')
  if (another) throw refuse('is the name of several accounts; invite by e-mail address')
  if (user.id === actorId) throw refuse('is your own')
  if ((await findMembers(tx, serverId)).some(({ userId }) => userId === user.id))
    throw new ApiError(400, 'already_member', 'This user is already a member of this server.')
  return user.id
}

/**
 * Offers a server to one of its members, instead of an offer to another one, who is notified.
 * @throws ApiError 403; 404 for a user who is not a member
 */
export async function offerServer(tx: Db, rules: TeamRules, server: ManagedServer, userId: string) {
  requireOwner(server)
  await lockAccountShared(tx, userId) // else its deletion could leave the offer without a member
  const member = (await findMembers(tx, server.id)).find((each) => each.userId === userId && each.role !== 'owner')
  if (!member) throw notFound(NO_SUCH_MEMBER)
  const userIds = await deleteOtherOffer(tx, { serverId: server.id, userId })
  await notifyUsers(tx, rules, 'serverInvitationWithdrawn', { serverId: server.id, userIds, data: { role: 'owner' } })
  const invitation = {
    id: uuidv7(),
    serverId: server.id,
    userId,
    email: null,
    role: 'owner',
    mayUseRcon: false,
  } as const
  return { ...(await sendInvitation(tx, rules, invitation)), username: member.username }
}

async function sendInvitation(tx: Db, { jobs, accounts }: TeamRules, invitation: NewInvitation) {
  const { id, serverId, userId, email, role, mayUseRcon } = invitation
  const times = await insertInvitation(tx, invitation)
  const address = email ?? (userId && (await findMailAddress(tx, userId)))
  if (address && (await accounts.mayBeInvited(address)))
    await jobs.enqueue(tx, mail, [{ kind: 'server-invitation', invitationId: id }])
  if (userId)
    await jobs.enqueue(tx, notify, [
      { event: 'serverInvitation', at: times.createdAt.toISOString(), serverId, userId, data: { role } },
    ])
  return { id, email, role, mayUseRcon, ...times }
}

/**
 * Locks the server of a user's invitation, and ends the invitation.
 * @throws ApiError 404 if it is not the user's, was answered or withdrawn, or has expired
 */
export async function answerInvitation(tx: Db, { id, userId }: { id: string; userId: string }) {
  const serverId = await lockAccountsOfInvitation(tx, id, userId)
  const server = serverId && (await findManaged(tx, serverId, 'update'))
  const invitation = server && (await deleteReceivedInvitation(tx, id, userId))
  if (!invitation) throw notFound(NO_SUCH_INVITATION)
  return { ...invitation, serverId }
}

/** @throws ApiError 404; 400 too_many_listings */
export async function acceptInvitation(
  tx: Db,
  rules: TeamRules,
  { id, actor }: { id: string; actor: Actor },
  kept: z.output<typeof AcceptInvitation>,
): Promise<{ serverId: string; role: 'owner' | MemberRole }> {
  const { userId } = actor
  const { serverId, role, mayUseRcon, ownerId } = await answerInvitation(tx, { id, userId })
  const audited = { actorId: userId, targetType: 'server', targetId: serverId } as const
  if (role !== 'owner') {
    await deleteInvitationsTo(tx, { serverId, userId, unconfirmed: false })
    await upsertMember(tx, { serverId, userId, role, mayUseRcon })
    await recordAction(tx, { ...audited, action: 'server.member.join', details: { role, mayUseRcon } })
    await notifyOwner(tx, rules, 'serverMemberJoined', { serverId, ownerId, userId, role })
    return { serverId, role }
  }
  if (!actor.isAdmin) await requireListingsLeft(tx, userId, rules.settings.LISTINGS_PER_ACCOUNT)
  const team = await findTeam(tx, serverId)
  await handOver(tx, { serverId, from: ownerId, to: userId }, kept)
  await recordAction(tx, { ...audited, action: 'server.handover', details: { formerOwnerId: ownerId, ...kept } })
  await rules.jobs.enqueue(tx, mail, [{ kind: 'server-handed-over', userId: ownerId, serverId }])
  await notifyOwner(tx, rules, 'serverHandedOver', { serverId, ownerId, userId, role })
  const others = (userIds: string[]) => userIds.filter((one) => one !== userId)
  if (!kept.keepTeam) await notifyUsers(tx, rules, 'serverMemberRemoved', { serverId, userIds: others(team.members) })
  await notifyUsers(tx, rules, 'serverInvitationWithdrawn', { serverId, userIds: others(team.invited) })
  return { serverId, role }
}

/** What the former owner set up stays only as far as the new owner says so. */
async function handOver(
  tx: Db,
  transfer: Transfer,
  { keepSecrets, keepTeam }: z.output<typeof AcceptInvitation>,
): Promise<void> {
  const { serverId, from } = transfer
  await (keepSecrets ? passOnSecrets(tx, transfer) : deleteSecrets(tx, serverId))
  await (keepTeam ? passOnTeam(tx, transfer) : deleteTeams(tx, [serverId]))
  if (!(await transferServer(tx, transfer))) throw new Error('a locked server changed its owner')
  if (keepTeam) await upsertMember(tx, { serverId, userId: from, role: 'manager', mayUseRcon: false })
}

/** Endpoints belong to the server, so they need no change. */
async function passOnSecrets(tx: Db, transfer: Transfer): Promise<void> {
  await transferCredential(tx, transfer)
  await transferVoteKeys(tx, transfer)
  await transferRewardSettings(tx, transfer)
}

async function deleteSecrets(tx: Db, serverId: string): Promise<void> {
  await deleteEndpointsOfServer(tx, serverId)
  await deleteCredential(tx, serverId)
  await deleteVoteKeys(tx, serverId)
  await deleteRewardSettings(tx, serverId)
  await eraseRewardRecords(tx, serverId)
}
