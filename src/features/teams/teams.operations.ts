// The operations of teams: the owner of a server invites members and hands it over; the invited accept or decline.
import type { Deps } from '../../deps.ts'
import { ApiError, notFound, validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { paginate } from '../../platform/http/paging.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { type Accounts, requireUnendedSession } from '../accounts/index.ts'
import { recordAction } from '../audit/index.ts'
import { notifyUsers } from '../notifications/index.ts'
import { managedServer } from '../servers/index.ts'
import { INVITATION_ACTIONS, SERVER_ACTIONS, ServerAuditEntries, ServerAuditQuery } from './audit-log.schema.ts'
import { countServerEntries, findServerEntries } from './audit-log.sql.ts'
import {
  deleteInvitation,
  deleteInvitationsTo,
  findReceivedInvitations,
  findSentInvitations,
  INVITATION_DAYS,
} from './invitations.sql.ts'
import { notifyMembershipEnd, notifyOwner } from './notices.ts'
import {
  AcceptedInvitation,
  AcceptInvitation,
  ChangeMember,
  HandOver,
  InviteMember,
  Member,
  MemberParams,
  NO_SUCH_INVITATION,
  NO_SUCH_MEMBER,
  OwnInvitationParams,
  RCON_FOR_MANAGERS,
  ReceivedInvitations,
  SentInvitation,
  ServerInvitationParams,
  Team,
} from './teams.schema.ts'
import { acceptInvitation, answerInvitation, invite, MAX_TEAM, offerServer } from './teams.service.ts'
import { deleteMember, findMembers, updateMember } from './teams.sql.ts'

/**
 * Limit of one account, to all servers together: each invitation may send a mail to an address that the caller chose.
 */
const INVITATIONS_A_DAY = 30
const limit = { name: 'invitations', limit: INVITATIONS_A_DAY, windowSeconds: 86_400, per: 'user' } as const

/** A key can read teams. It must not give the account's servers to others. */
const changes = { tag: 'Teams', access: 'session' } as const
const reads = { tag: 'Teams', access: 'user', scope: 'read', method: 'get' } as const

const ofTeam = (audit: string) => managedServer({ right: 'own', lock: 'update', audit, auditsOwner: true })

interface TeamsOptions extends Pick<Deps, 'jobs' | 'settings'> {
  accounts: Pick<Accounts, 'mayBeInvited'>
}

export const teamsOperations = (options: TeamsOptions) => [...ownersOperations(options), ...invitedOperations(options)]

const ownersOperations = (options: TeamsOptions) => [
  operation({
    ...reads,
    path: '/servers/{id}/members',
    operationId: 'listMembers',
    summary: 'List the members of a server, and the invitations that wait for an answer',
    resource: managedServer({ right: 'read' }),
    returns: Team,
    handle: async ({ db, server: { id, rights } }) => ({
      members: await findMembers(db, id),
      invitations: rights.includes('own') ? await findSentInvitations(db, id) : [],
    }),
  }),
  operation({
    ...reads,
    path: '/servers/{id}/audit',
    operationId: 'listServerAudit',
    summary: 'List the audit log of a server, newest first',
    description:
      'For owners and managers: what members and administrators did, who joined and left, and all changes of RCON, rewards and vote keys. ' +
      'Without values, secrets and addresses. Managers do not see invitations.',
    resource: managedServer({ right: 'edit' }),
    query: ServerAuditQuery,
    returns: ServerAuditEntries,
    async handle({ db, server: { id, rights }, query }) {
      const seesInvitations = rights.includes('own')
      const actions = SERVER_ACTIONS.filter(
        (action) => seesInvitations || !INVITATION_ACTIONS.some((one) => one === action),
      )
      return paginate('entries', query, {
        count: () => countServerEntries(db, id, actions),
        find: (page) => findServerEntries(db, id, actions, page),
      })
    },
  }),
  operation({
    ...changes,
    method: 'post',
    path: '/servers/{id}/members',
    operationId: 'inviteMember',
    summary: 'Invite a user to the team of your server',
    description:
      'By the name of an account, or by an e-mail address. A manager edits the listing, endpoints and rewards; a viewer sees votes and ' +
      'numbers; only you can remove the server, hand it over, change its address and its team, and spend money for it. The user becomes a ' +
      `member when they accept, within ${INVITATION_DAYS} days; another invitation of the same user replaces this one. A verified or ` +
      `given address gets a mail. At most ${MAX_TEAM} members and open invitations, and ${INVITATIONS_A_DAY} invitations a day.`,
    resource: ofTeam('server.member.invite'),
    body: InviteMember,
    limit,
    codes: ['already_member', 'team_full'],
    status: 201,
    returns: SentInvitation,
    async handle({ tx, server, actor, body }) {
      await requireUnendedSession(tx, actor)
      const { userId, invitation } = await invite(tx, options, { server, actorId: actor.userId }, body)
      const { id: invitationId, role, mayUseRcon } = invitation
      // Neither name nor address: the log is kept for good.
      return new Audited(invitation, { invitationId, role, mayUseRcon, ...(userId === null ? {} : { userId }) })
    },
  }),
  operation({
    ...changes,
    method: 'patch',
    path: '/servers/{id}/members/{userId}',
    operationId: 'changeMember',
    summary: 'Change what a member of your server may do, from their next request on',
    resource: ofTeam('server.member.change'),
    params: MemberParams,
    body: ChangeMember,
    returns: Member,
    async handle({ tx, actor, server: { id: serverId }, params: { userId }, body: { role, mayUseRcon } }) {
      await requireUnendedSession(tx, actor)
      const changed = await updateMember(tx, { serverId, userId }, { role, mayUseRcon })
      if (changed?.role === 'viewer' && mayUseRcon)
        throw validationFailed([{ path: 'body.mayUseRcon', message: RCON_FOR_MANAGERS }])
      if (changed?.hasChanged) await deleteInvitationsTo(tx, { serverId, userId, unconfirmed: true })
      const member = changed && (await findMembers(tx, serverId)).find((each) => each.userId === userId)
      if (!member) throw notFound(NO_SUCH_MEMBER)
      return new Audited(member, { userId, role: changed.role, mayUseRcon: changed.mayUseRcon })
    },
  }),
  operation({
    ...changes,
    method: 'delete',
    path: '/servers/{id}/members/{userId}',
    operationId: 'removeMember',
    summary: 'Remove a member of your server, or leave the team of another’s',
    description:
      'Ends what their sessions and API keys may do with the next request. What they have set up stays: replace secrets that they know.',
    resource: managedServer({ right: 'read', lock: 'update', audit: 'server.member.remove', auditsOwner: true }),
    params: MemberParams,
    returns: Success,
    async handle({ tx, actor, server: { id: serverId, rights }, params: { userId } }) {
      if (userId !== actor.userId && !rights.includes('own'))
        throw new ApiError(403, 'forbidden', 'Only the owner of this server may remove other members.')
      const removed = await deleteMember(tx, { serverId, userId })
      if (removed) await deleteInvitationsTo(tx, { serverId, userId, unconfirmed: true })
      if (!removed) throw notFound(NO_SUCH_MEMBER)
      await notifyMembershipEnd(tx, options, { serverId, userId, actorId: actor.userId })
      return new Audited(SUCCESS, { userId, ...removed })
    },
  }),
  operation({
    ...changes,
    method: 'post',
    path: '/servers/{id}/handover',
    operationId: 'offerServer',
    summary: 'Offer your server to one of its members',
    description:
      `It becomes theirs when they accept, within ${INVITATION_DAYS} days; until then nothing changes, and you can withdraw the offer as an ` +
      'invitation. Another offer replaces this one.',
    stepUp: true,
    resource: ofTeam('server.handover.offer'),
    body: HandOver,
    limit,
    status: 201,
    returns: SentInvitation,
    async handle({ tx, actor, server, body: { userId } }) {
      await requireUnendedSession(tx, actor)
      const invitation = await offerServer(tx, options, server, userId.toLowerCase())
      return new Audited(invitation, { invitationId: invitation.id, userId })
    },
  }),
  operation({
    ...changes,
    method: 'delete',
    path: '/servers/{id}/invitations/{invitationId}',
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation or the offer of your server',
    resource: ofTeam('server.invitation.withdraw'),
    params: ServerInvitationParams,
    returns: Success,
    async handle({ tx, server, params: { invitationId } }) {
      const withdrawn = await deleteInvitation(tx, server.id, invitationId)
      if (!withdrawn) throw notFound(NO_SUCH_INVITATION)
      const { role, recipientId } = withdrawn
      if (recipientId)
        await notifyUsers(tx, options, 'serverInvitationWithdrawn', {
          serverId: server.id,
          userIds: [recipientId],
          data: { role },
        })
      return new Audited(SUCCESS, { invitationId, role })
    },
  }),
]

const invitedOperations = (options: TeamsOptions) => [
  operation({
    ...reads,
    path: '/user/invitations',
    operationId: 'listInvitations',
    summary: 'List the invitations and offers that wait for your answer',
    description: 'Those to your e-mail address are listed once it is verified.',
    returns: ReceivedInvitations,
    handle: async ({ db, actor }) => ({ invitations: await findReceivedInvitations(db, actor.userId) }),
  }),
  operation({
    ...changes,
    method: 'post',
    path: '/user/invitations/{id}/accept',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation, or a server that was offered to you',
    description:
      'A server that you accept counts against the servers of your account. Votes, history and placements stay with it, and its proof of ' +
      'ownership.',
    params: OwnInvitationParams,
    body: AcceptInvitation,
    codes: ['too_many_listings'],
    errors: [404],
    changes: 'directory',
    returns: AcceptedInvitation,
    handle: ({ tx, actor, params: { id }, body }) => acceptInvitation(tx, options, { id, actor }, body),
  }),
  operation({
    ...changes,
    method: 'post',
    path: '/user/invitations/{id}/decline',
    operationId: 'declineInvitation',
    summary: 'Decline an invitation, or a server that was offered to you',
    params: OwnInvitationParams,
    errors: [404],
    returns: Success,
    async handle({ tx, actor: { userId }, params: { id } }) {
      const { serverId, role, ownerId, isByAddress } = await answerInvitation(tx, { id, userId })
      // Whose address it is stays the user's to tell.
      if (isByAddress)
        await notifyUsers(tx, options, 'serverInvitationDeclined', { serverId, userIds: [ownerId], data: { role } })
      else await notifyOwner(tx, options, 'serverInvitationDeclined', { serverId, ownerId, userId, role })
      await recordAction(tx, {
        actorId: userId,
        action: 'server.invitation.decline',
        targetType: 'server',
        targetId: serverId,
        details: { invitationId: id, role },
      })
      return SUCCESS
    },
  }),
]
