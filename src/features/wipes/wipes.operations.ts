// The operations of wipe history: it is public; owners add and remove wipes.
import type { Deps } from '../../deps.ts'
import { readClock } from '../../platform/db/clock.ts'
import { notFound, validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { paginate } from '../../platform/http/paging.ts'
import { Audited, Reply } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import type { Directory } from '../directory/index.ts'
import { managedServer, noSuchServer, ServerIdParams } from '../servers/index.ts'
import { recordWipe } from './recording.ts'
import { NewWipe, Wipe, WipeParams, Wipes, WipesQuery } from './wipes.schema.ts'
import { countWipes, deleteWipe, findWipes, updateLastWipe } from './wipes.sql.ts'

/** Each may notify every subscriber. */
const WIPES_AN_HOUR = 30
const MAX_AGE_YEARS = 10
const common = { tag: 'Wipes', path: '/servers/{id}/wipe-history' } as const

interface WipesOptions extends Pick<Deps, 'jobs' | 'settings'> {
  directory: Pick<Directory, 'lookup'>
}

export const wipesOperations = ({ jobs, settings, directory }: WipesOptions) => [
  operation({
    ...common,
    method: 'get',
    operationId: 'listWipes',
    summary: 'List when a server was wiped, latest first',
    crossOrigin: true,
    params: ServerIdParams,
    query: WipesQuery,
    returns: Wipes,
    errors: [404],
    handle: ({ db, params: { id }, query }) => {
      directory.lookup.find(id)
      return paginate('wipes', query, { count: () => countWipes(db, id), find: (range) => findWipes(db, id, range) })
    },
  }),
  operation({
    ...common,
    method: 'post',
    operationId: 'addWipe',
    summary: 'Add a wipe of your server; 200 if it is already known',
    description:
      'A wipe of the same kind within an hour of another is the same wipe. A wipe that a poll detected becomes yours if you add ' +
      `it within six hours of it. At most ${WIPES_AN_HOUR} per hour.`,
    access: 'user',
    scope: 'servers:write',
    resource: managedServer({ right: 'edit', lock: 'update', audit: 'server.wipe' }),
    body: NewWipe,
    status: 201,
    alsoStatus: 200,
    returns: Wipe,
    limit: { name: 'wipes', limit: WIPES_AN_HOUR, windowSeconds: 3600, per: 'user' },
    changes: 'directory',
    async handle({ tx, actor: { userId }, server, body: { wipedAt: given, kind, note } }) {
      const now = await readClock(tx)
      const wipedAt = given ?? now
      checkRange(wipedAt, now)
      const recorded = await recordWipe(
        tx,
        { jobs, justWipedDays: settings.JUST_WIPED_DAYS },
        { serverId: server.id, wipedAt, kind, by: { userId, note } },
      )
      if (!recorded) throw noSuchServer()
      const { wipe, isNew } = recorded
      return new Audited(new Reply(wipe, { status: isNew ? 201 : 200 }), isNew ? { wipedAt, kind } : undefined)
    },
  }),
  operation({
    tag: common.tag,
    path: `${common.path}/{wipeId}`,
    method: 'delete',
    operationId: 'removeWipe',
    summary: 'Remove a wipe of your server that was added by mistake or detected wrongly',
    description: 'Notifications that were sent about it stay.',
    access: 'user',
    scope: 'servers:write',
    resource: managedServer({ right: 'edit', lock: 'update', audit: 'server.wipe.remove' }),
    params: WipeParams,
    returns: Success,
    changes: 'directory',
    async handle({ tx, server, params: { wipeId } }) {
      const wipedAt = await deleteWipe(tx, server.id, wipeId)
      if (!wipedAt) throw notFound('There is no such wipe.')
      await updateLastWipe(tx, server.id, wipedAt)
      return new Audited(SUCCESS, { wipedAt })
    },
  }),
]

/** @throws ApiError 400 for a time in the future or too long ago */
function checkRange(wipedAt: Date, now: Date): void {
  const earliest = new Date(now)
  earliest.setUTCFullYear(earliest.getUTCFullYear() - MAX_AGE_YEARS)
  if (wipedAt > now) throw validationFailed([{ path: 'body.wipedAt', message: 'must not be in the future' }])
  if (wipedAt < earliest)
    throw validationFailed([{ path: 'body.wipedAt', message: `must be in the last ${MAX_AGE_YEARS} years` }])
}
