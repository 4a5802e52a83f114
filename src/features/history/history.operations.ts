// Player history: players of a server over time, at most 500 points.
import type { Settings } from '../../platform/config/settings.ts'
import { operation } from '../../platform/http/operation.ts'
import { type DirectoryLookup, ServerIdParams } from '../servers/index.ts'
import { HistoryQuery, PlayerHistory } from './history.schema.ts'
import { readPlayerHistory } from './player-history.service.ts'

interface HistoryOptions {
  directory: { lookup: DirectoryLookup }
  settings: Pick<Settings, 'POLL_INTERVAL_SECONDS'>
}

export const historyOperations = ({ directory, settings }: HistoryOptions) => [
  operation({
    method: 'get',
    path: '/servers/{id}/player-history',
    operationId: 'getPlayerHistory',
    tag: 'Directory',
    summary: 'Get the players of a server over time',
    description: '`players` is null, not 0, where no poll was answered.',
    crossOrigin: true,
    params: ServerIdParams,
    query: HistoryQuery,
    returns: PlayerHistory,
    reads: 'standby',
    errors: [404],
    handle: ({ db, params, query }) => readPlayerHistory({ db, directory, settings }, params.id, query.range),
  }),
]
