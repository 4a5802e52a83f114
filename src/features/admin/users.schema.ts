// Accounts as administrators see and change them.
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { TIERS } from '../api-keys/index.ts'
import { count, filter, flag, instant, search } from './admin-fields.ts'

export const UserParams = z.object({ id: z.string().describe('User id') })

export const UsersQuery = z.object({
  ...pageQuery({ limit: 20, maxLimit: 100 }),
  search: search.describe('Part of the e-mail address or the username, in any case'),
  banned: filter,
  admin: filter,
})
export type UsersQuery = z.output<typeof UsersQuery>

const tier = z.enum(TIERS, `must be one of ${TIERS.join(', ')}`)

export const User = z
  .object({
    id: z.uuid(),
    email: z.string().describe('Empty when there is none'),
    emailVerified: z.boolean(),
    username: z.string(),
    avatarUrl: z.string(),
    gamePlatformId: z.string().describe('Empty unless linked'),
    chatId: z.string().describe('Empty unless linked'),
    isAdmin: z.boolean().describe('By another administrator, or by the setting `ADMIN_EMAILS`'),
    tier,
    bannedAt: instant.nullable(),
    sessions: count.describe('That live'),
    apiKeys: count.describe('Not revoked'),
    ownedServers: count,
    createdAt: instant,
  })
  .meta({ id: 'AdminUser' })

export const Users = z.object({ users: z.array(User), pagination: Pagination })

export const UserChange = z.strictObject({
  banned: flag.describe('A ban ends all sessions; API keys are refused while it lasts'),
  isAdmin: flag,
  tier: tier.optional(),
})
export type UserChange = z.output<typeof UserChange>
