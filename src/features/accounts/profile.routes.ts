// HTTP of what a user keeps about themselves.
import type { Pool } from '../../platform/db/pool.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { NotificationPreferences, PreferencesChange, ProfileChange, UserProfile } from './accounts.schema.ts'
import type { AccountsService } from './accounts.service.ts'
import { changePreferences, getPreferences } from './preferences.service.ts'

const TAG = 'User'

export function profileRoutes({ accounts, pool }: { accounts: AccountsService; pool: Pool }): Route[] {
  return [
    route({
      method: 'get',
      path: '/user/profile',
      operationId: 'getProfile',
      tag: TAG,
      summary: 'The profile of whoever is logged in',
      access: 'session',
      returns: UserProfile,
      handle: ({ actor }) => accounts.profile(actor.userId),
    }),
    route({
      method: 'patch',
      path: '/user/profile',
      operationId: 'updateProfile',
      tag: TAG,
      summary: 'Change the own profile',
      access: 'session',
      body: ProfileChange,
      returns: UserProfile,
      handle: ({ actor, body }) => accounts.changeProfile(actor.userId, body),
    }),
    route({
      method: 'get',
      path: '/user/notification-preferences',
      operationId: 'getNotificationPreferences',
      tag: TAG,
      summary: 'Which news are sent, and how',
      access: 'session',
      returns: NotificationPreferences,
      handle: ({ actor }) => getPreferences(pool, actor.userId),
    }),
    route({
      method: 'patch',
      path: '/user/notification-preferences',
      operationId: 'updateNotificationPreferences',
      tag: TAG,
      summary: 'Change which news are sent, and how',
      access: 'session',
      body: PreferencesChange,
      returns: NotificationPreferences,
      handle: ({ actor, body }) => changePreferences(pool, actor.userId, body),
    }),
  ]
}
