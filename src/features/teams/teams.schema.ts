// What requests and replies about the members of a server contain.
import * as z from 'zod'
import { namedUnion } from '../../platform/http/named-union.ts'
import { idParam } from '../../platform/http/operation.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { email, username } from '../accounts/index.ts'
import { MEMBER_ROLES } from '../servers/index.ts'

export const NO_SUCH_MEMBER = 'This user is not a member of this server.'
export const NO_SUCH_INVITATION = 'There is no such invitation, or it has expired.'

export const MemberParams = z.object({ userId: idParam('Account id of the member', NO_SUCH_MEMBER) })
export const ServerInvitationParams = z.object({ invitationId: idParam('Invitation id', NO_SUCH_INVITATION) })
export const OwnInvitationParams = z.object({ id: idParam('Invitation id', NO_SUCH_INVITATION) })

const role = z.enum(MEMBER_ROLES, 'must be manager or viewer')
const mayUseRcon = z
  .boolean('must be true or false')
  .describe('Of a manager: whether they may send RCON commands and set the commands that reward votes')
export const RCON_FOR_MANAGERS = 'can only be allowed to a manager'
const rconForManagers = { error: RCON_FOR_MANAGERS, path: ['mayUseRcon'] }

/** An invitation names exactly one of `username` and `email`. */
export const InviteMember = z
  .object({
    username: username.describe('Of an account; the only one with this name').optional(),
    email: email.describe('The reply does not depend on whether an account has this address').optional(),
    role: role.default('viewer'),
    mayUseRcon: mayUseRcon.default(false),
  })
  .refine((body) => (body.username === undefined) !== (body.email === undefined), {
    error: 'exactly one of username and email must be given',
    path: ['username'],
  })
  .refine((body) => !body.mayUseRcon || body.role === 'manager', rconForManagers)
  .meta(namedUnion('InviteMember', 'oneOf', { email: 'InviteByEmail', username: 'InviteByUsername' }))

export const ChangeMember = z
  .object({ role: role.optional(), mayUseRcon: mayUseRcon.optional() })
  .refine((body) => !body.mayUseRcon || body.role !== 'viewer', rconForManagers)
  .describe('Absent fields stay. A viewer never has RCON')

export const Member = z
  .object({
    userId: z.uuid(),
    username: z.string(),
    role: z.enum(['owner', ...MEMBER_ROLES]),
    mayUseRcon: z.boolean(),
    joinedAt: Timestamp.nullable().describe('Null for the owner'),
  })
  .meta({ id: 'ServerMember' })

const offer = {
  id: z.uuid(),
  role: z.enum(['owner', ...MEMBER_ROLES]).describe('`owner`: a hand-over'),
  mayUseRcon: z.boolean(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
}

/** An invitation as the owner sees it. */
export const SentInvitation = z
  .object({
    ...offer,
    username: z.string().nullable().describe('Of the account that was invited; null for one by e-mail address'),
    email: z.string().nullable(),
  })
  .meta({ id: 'SentInvitation' })

export const Team = z.object({
  members: z.array(Member).describe('The owner, then the others in the order in which they joined'),
  invitations: z.array(SentInvitation).describe('Those that wait for an answer; empty for members'),
})

export const HandOver = z.object({ userId: z.uuid('must be an account’s id').describe('A member of the server') })

/** An invitation as the invited user sees it. */
export const ReceivedInvitation = z
  .object({
    ...offer,
    serverId: z.uuid(),
    serverName: z.string(),
    invitedBy: z.string().describe('The name of the server’s owner'),
  })
  .meta({ id: 'ReceivedInvitation' })
export const ReceivedInvitations = z.object({ invitations: z.array(ReceivedInvitation).describe('Newest first') })

const kept = z.boolean('must be true or false').default(false)
export const AcceptInvitation = z.object({
  keepSecrets: kept.describe(
    'Of a hand-over: whether endpoints with their secrets, the RCON password, vote keys and reward commands stay. By default they are deleted',
  ),
  keepTeam: kept.describe(
    'Of a hand-over: whether the members stay, and the former owner becomes a manager without RCON. By default only you remain',
  ),
})
export const AcceptedInvitation = z.object({
  serverId: z.uuid(),
  role: z.enum(['owner', ...MEMBER_ROLES]),
})
