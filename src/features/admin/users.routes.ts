// The administrators' endpoints over accounts.
import { type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { User, UserChange, UserParams, Users, UsersQuery } from './users.schema.ts'
import { USER_CODES, type UsersService } from './users.service.ts'

const common = { tag: 'Administration', access: 'admin' } as const

export function usersRoutes(users: UsersService): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      path: '/admin/users',
      operationId: 'listUsers',
      summary: 'All accounts; last registered first',
      query: UsersQuery,
      returns: Users,
      handle: ({ query }) => users.list(query),
    }),
    route({
      ...common,
      method: 'patch',
      path: '/admin/users/{id}',
      operationId: 'moderateUser',
      summary: 'Bans an account, makes it an administrator or gives it another tier',
      description:
        '`own_account`: nobody bans or demotes himself. `admin_by_setting`: the account is an administrator by the ' +
        'setting `ADMIN_EMAILS`.',
      params: UserParams,
      body: UserChange,
      returns: User,
      errors: [404],
      codes: USER_CODES,
      handle: ({ actor, params, body }) => users.change(actor.userId, params.id, body),
    }),
    route({
      ...common,
      method: 'delete',
      path: '/admin/users/{id}',
      operationId: 'removeUser',
      summary: 'Deletes an account; its servers stay listed, unproven and nobody’s',
      params: UserParams,
      returns: Success,
      errors: [404],
      codes: USER_CODES.slice(0, 1),
      async handle({ actor, params }) {
        await users.remove(actor.userId, params.id)
        return DONE
      },
    }),
  ]
}
