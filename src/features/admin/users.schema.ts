// Accounts in the replies and requests of administrators.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { TIERS } from '../api-keys/index.ts'
import { count, filter, flag, search } from './admin-fields.ts'

export const NO_SUCH_USER = 'There is no such user.'

export const UserParams = z.object({ id: idParam('User id', NO_SUCH_USER) })

export const UsersQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  search: search.describe('Part of the email address or the username, case-insensitive; or the id'),
  banned: filter,
  admin: filter,
})

const tier = z.enum(TIERS, `must be one of ${TIERS.join(', ')}`)

export const User = z
  .object({
    id: z.uuid(),
    email: z.string().describe('Empty if there is none'),
    emailVerified: z.boolean(),
    username: z.string(),
    avatarUrl: z.string(),
    gamePlatformId: z.string().describe('Empty unless linked'),
    chatId: z.string().describe('Empty unless linked'),
    isAdmin: z.boolean().describe('By another administrator, or by the setting `ADMIN_EMAILS`'),
    tier,
    bannedAt: Timestamp.nullable(),
    sessions: count.describe('Active sessions'),
    apiKeys: count.describe('Not revoked'),
    ownedServers: count,
    createdAt: Timestamp,
  })
  .meta({ id: 'AdminUser' })

export const Users = pageOf('users', User)

export const UserChange = z.strictObject({
  banned: flag.describe('A ban ends all sessions; API keys are rejected while it lasts'),
  isAdmin: flag,
  tier: tier.optional(),
})
