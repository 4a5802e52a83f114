// What the team of a server sees of its audit log.
import * as z from 'zod'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { MEMBER_ROLES } from '../servers/index.ts'

/** Actions on the team that only those see who see its invitations. */
export const INVITATION_ACTIONS = [
  'server.member.invite',
  'server.invitation.withdraw',
  'server.invitation.decline',
  'server.handover.offer',
] as const

/** All but commands that votes run, which have a list of their own. */
export const SERVER_ACTIONS = [
  ...INVITATION_ACTIONS,
  'server.member.join',
  'server.member.change',
  'server.member.remove',
  'server.handover',
  'server.claim',
  'server.claim-stop',
  'server.opt-out',
  'server.update',
  'server.logo.set',
  'server.logo.remove',
  'server.banner.set',
  'server.banner.remove',
  'server.wipe',
  'server.wipe.remove',
  'endpoint.add',
  'endpoint.change',
  'endpoint.delete',
  'endpoint.rotate-secret',
  'endpoint.test',
  'endpoint.redeliver',
  'webhook.set',
  'webhook.delete',
  'webhook.rotate-secret',
  'webhook.test',
  'webhook.redeliver',
  'vote-key.create',
  'vote-key.revoke',
  'votes.claim',
  'vote-rewards.set',
  'vote-rewards.remove',
  'rcon.configure',
  'rcon.remove',
  'rcon.command',
] as const

export const ServerAuditQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const ServerAuditEntry = z
  .object({
    id: z.uuid(),
    at: Timestamp,
    action: z.enum(SERVER_ACTIONS),
    actorUsername: z
      .string()
      .nullable()
      .describe(
        'The current name; null for an administrator, for who declined an invitation, and for an account that was deleted',
      ),
    memberUsername: z.string().nullable().describe('Of the user whose membership it is about, if it is about one'),
    role: z
      .enum(['owner', ...MEMBER_ROLES])
      .nullable()
      .describe('Of an invitation or membership; `owner`: a hand-over'),
    fields: z
      .array(z.string().meta({ examples: ['description'] }))
      .describe('The fields of the listing that changed, without their values'),
  })
  .meta({ id: 'ServerAuditEntry' })

export const ServerAuditEntries = pageOf('entries', ServerAuditEntry)
