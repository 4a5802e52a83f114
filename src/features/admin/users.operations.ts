// Administrators' operations on accounts.
import { NIL } from 'uuid'
import type { Deps } from '../../deps.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { deleteAccount } from '../account-deletion/index.ts'
import { hasSecondFactor } from '../accounts/index.ts'
import { auditAs } from '../audit/index.ts'
import { NO_SUCH_USER, User, UserChange, UserParams, Users, UsersQuery } from './admin.schema.ts'
import { changeUser } from './users.service.ts'
import { findUser, findUsers, lockUserForModeration, type UserModeration } from './users.sql.ts'

const common = { tag: 'Administration', access: 'admin' } as const

interface ModeratedUser {
  id: string
  before: UserModeration
  isNamed: boolean
}

export function usersOperations({ jobs, settings }: Pick<Deps, 'jobs' | 'settings'>) {
  /** An account, locked with that of the administrator. Each action on it is audited. */
  const moderatedUser = (action: string): Resource<'user', ModeratedUser> => ({
    name: 'user',
    params: UserParams,
    errors: [404],
    async load(db, id, actor) {
      const { user, isActorAdmin } = await lockUserForModeration(db, settings, { id, actorId: actor?.userId ?? NIL })
      if (!isActorAdmin) throw new ApiError(403, 'forbidden', 'You are no longer an administrator.')
      if (!user) throw notFound(NO_SUCH_USER)
      return { id, ...user }
    },
    after: auditAs('user', action),
  })

  return [
    operation({
      ...common,
      method: 'get',
      path: '/admin/users',
      operationId: 'listUsers',
      summary: 'List all accounts; newest first',
      query: UsersQuery,
      returns: Users,
      handle: ({ db, query }) => findUsers(db, settings, query),
    }),
    operation({
      ...common,
      method: 'patch',
      path: '/admin/users/{id}',
      operationId: 'moderateUser',
      summary: 'Ban an account, make it an administrator or a moderator, or change its tier',
      description:
        '`own_account`: administrators cannot ban or demote themselves. `admin_by_setting`: the setting `ADMIN_EMAILS` makes ' +
        'the account an administrator. `second_factor_missing`: an account gets rights once it has a second factor, if they need one.',
      stepUp: true,
      resource: moderatedUser('user.update'),
      body: UserChange,
      returns: User,
      codes: ['own_account', 'admin_by_setting', 'second_factor_missing'],
      async handle({ tx, actor, user: { id, before, isNamed }, body }) {
        if (id === actor.userId && body.banned) throw ownAccount('ban')
        if (id === actor.userId && body.isAdmin === false) throw ownAccount('demote')
        if (isNamed && body.isAdmin === false)
          throw new ApiError(
            400,
            'admin_by_setting',
            'This account is an administrator by the setting ADMIN_EMAILS. Remove its address there.',
          )
        const isPromoted = (body.isAdmin && !before.isAdmin) || (body.isModerator && !before.isModerator)
        if (isPromoted && settings.REQUIRE_SECOND_FACTOR && !(await hasSecondFactor(tx, id)))
          throw new ApiError(
            400,
            'second_factor_missing',
            'This account has no second factor. Its owner sets one up first, on the page of the account.',
          )
        const changes = await changeUser(tx, { jobs }, { id, before }, body)
        return new Audited(await findUser(tx, settings, id), changes)
      },
    }),
    operation({
      ...common,
      method: 'delete',
      path: '/admin/users/{id}',
      operationId: 'removeUser',
      summary: 'Delete an account; its servers stay listed without an owner, and unverified',
      stepUp: true,
      resource: moderatedUser('user.delete'),
      returns: Success,
      codes: ['own_account'],
      changes: 'directory',
      async handle({ tx, actor, user: { id, before } }) {
        if (id === actor.userId) throw ownAccount('delete')
        const releasedServers = await deleteAccount(tx, { jobs }, id)
        return new Audited(SUCCESS, { before, releasedServers })
      },
    }),
  ]
}

const ownAccount = (action: string) => new ApiError(400, 'own_account', `You can’t ${action} yourself.`)
