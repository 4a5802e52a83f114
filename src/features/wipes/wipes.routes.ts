// The endpoints of wipe history.
import { Reply, type Route, route } from '../../platform/http/route.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { ServerParams } from '../directory/index.ts'
import { NewWipe, Wipe, WipeParams, Wipes, WipesQuery } from './wipes.schema.ts'
import { WIPES_AN_HOUR, type WipesService } from './wipes.service.ts'

const common = { tag: 'Wipes', path: '/servers/{id}/wipe-history' } as const

export function wipesRoutes(wipes: WipesService): Route[] {
  return [
    route({
      ...common,
      method: 'get',
      operationId: 'listWipes',
      summary: 'When a server was wiped, latest first',
      crossOrigin: true,
      params: ServerParams,
      query: WipesQuery,
      returns: Wipes,
      errors: [404],
      handle: ({ params, query }) => wipes.list(params.id, query),
    }),
    route({
      ...common,
      method: 'post',
      operationId: 'addWipe',
      summary: 'Tells of a wipe of your server; 200 when it is known already',
      description:
        'The same kind again within an hour is the same wipe. One that was found when the server was polled becomes yours when you tell ' +
        `of it within six hours. At most ${WIPES_AN_HOUR} an hour.`,
      access: 'user',
      params: ServerParams,
      body: NewWipe,
      status: 201,
      alsoStatus: 200,
      returns: Wipe,
      errors: [404],
      async handle({ actor, params, body }) {
        const { wipe, isNew } = await wipes.add(actor, params.id, body)
        return new Reply(wipe, { status: isNew ? 201 : 200 })
      },
    }),
    route({
      tag: common.tag,
      path: `${common.path}/{wipeId}`,
      method: 'delete',
      operationId: 'removeWipe',
      summary: 'Takes back a wipe of your server, told by mistake or wrongly found',
      description: 'News of it that went out stay out.',
      access: 'user',
      params: WipeParams,
      returns: Success,
      errors: [404],
      async handle({ actor, params }) {
        await wipes.remove(actor, params.id, params.wipeId)
        return DONE
      },
    }),
  ]
}
