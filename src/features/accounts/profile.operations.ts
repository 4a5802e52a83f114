// The user's profile and notification preferences.
import type { Deps } from '../../deps.ts'
import { operation } from '../../platform/http/operation.ts'
import {
  NotificationPreferences,
  PreferencesChange,
  ProfileChange,
  SessionReply,
  UserProfile,
} from './accounts.schema.ts'
import { withDefaultPreferences } from './preferences.ts'
import { findPreferences, findProfile, mergePreferences, updateProfile } from './profile.store.ts'

const common = { tag: 'User', access: 'session' } as const

export const profileOperations = ({ settings }: Pick<Deps, 'settings'>) => [
  operation({
    method: 'get',
    path: '/auth/session',
    operationId: 'getSession',
    tag: 'Accounts',
    summary: 'Get the logged-in user',
    access: 'session',
    returns: SessionReply,
    handle: async ({ db, actor }) => ({
      user: await findProfile(db, settings, actor.userId),
      isModerator: actor.isModerator,
      lacksSecondFactor: actor.lacksSecondFactor,
    }),
  }),
  operation({
    ...common,
    method: 'get',
    path: '/user/profile',
    operationId: 'getProfile',
    summary: 'Get your profile',
    returns: UserProfile,
    handle: ({ db, actor }) => findProfile(db, settings, actor.userId),
  }),
  operation({
    ...common,
    method: 'patch',
    path: '/user/profile',
    operationId: 'updateProfile',
    summary: 'Change your profile',
    body: ProfileChange,
    returns: UserProfile,
    async handle({ tx, actor, body }) {
      await updateProfile(tx, actor.userId, body)
      return findProfile(tx, settings, actor.userId)
    },
  }),
  operation({
    ...common,
    method: 'get',
    path: '/user/notification-preferences',
    operationId: 'getNotificationPreferences',
    summary: 'Get which notifications you receive, and by which channels',
    returns: NotificationPreferences,
    handle: async ({ db, actor }) => withDefaultPreferences(await findPreferences(db, actor.userId)),
  }),
  operation({
    ...common,
    method: 'patch',
    path: '/user/notification-preferences',
    operationId: 'updateNotificationPreferences',
    summary: 'Change which notifications you receive, and by which channels',
    body: PreferencesChange,
    returns: NotificationPreferences,
    handle: async ({ tx, actor, body }) => withDefaultPreferences(await mergePreferences(tx, actor.userId, body)),
  }),
]
