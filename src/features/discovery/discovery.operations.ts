// Operations on sources and blocks, and the owner's opt-out.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { recordAction } from '../audit/index.ts'
import { removeServer } from '../server-removal/index.ts'
import { managedServer } from '../servers/index.ts'
import { deleteBlock, findBlocks, insertBlock, insertOptOut } from './blocks.sql.ts'
import { ANNOUNCEMENTS } from './catalog.ts'
import { discovery } from './discovery.jobs.ts'
import {
  AddedBlock,
  Block,
  BlockParams,
  Blocks,
  BlocksQuery,
  DiscoverySources,
  NewBlock,
  NO_SUCH_BLOCK,
  NO_SUCH_SOURCE,
  OptedOut,
  SourceParams,
  StartedRun,
} from './discovery.schema.ts'
import { listSources } from './sources.service.ts'
import { removeBlocked } from './upkeep.service.ts'

const common = { tag: 'Discovery', access: 'admin' } as const

export const discoveryOperations = ({ settings, jobs }: Pick<Deps, 'settings' | 'jobs'>) => [
  operation({
    ...common,
    method: 'get',
    path: '/admin/discovery/sources',
    operationId: 'listDiscoverySources',
    summary: 'List the sources that servers are found by, with their last and next run and a verdict',
    returns: DiscoverySources,
    handle: async ({ db }) => ({ sources: await listSources(db, settings) }),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/discovery/sources/{source}/run',
    operationId: 'runDiscoverySource',
    summary: 'Run a source now',
    description: 'A worker begins within seconds, unless a run of this source lasts or waits already.',
    params: SourceParams,
    returns: StartedRun,
    errors: [404],
    codes: ['not_runnable'],
    async handle({ tx, actor, params: { source } }) {
      if (!settings.DISCOVER.includes(source)) throw notFound(NO_SUCH_SOURCE)
      if (source === ANNOUNCEMENTS)
        throw new ApiError(400, 'not_runnable', 'Announcements have no runs: the servers send them.')
      await jobs.enqueue(tx, discovery, [{ source }], { singletonKey: source })
      await recordAction(tx, { actorId: actor.userId, action: 'discovery.run', targetType: 'source', targetId: source })
      return { message: 'The source runs within seconds.' }
    },
  }),
  operation({
    ...common,
    method: 'get',
    path: '/admin/discovery/blocks',
    operationId: 'listDiscoveryBlocks',
    summary: 'List discovery blocks and opt-outs, newest first',
    query: BlocksQuery,
    returns: Blocks,
    handle: ({ db, query }) => findBlocks(db, query),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/discovery/blocks',
    operationId: 'addDiscoveryBlock',
    summary: 'Keep sources from listing servers of a network, host, game or name',
    description:
      'A block applies to servers that fulfil all its conditions. Unclaimed servers that it forbids leave the directory at once, or ' +
      'within the hour if it forbids the address that a DNS name leads to. Claimed servers stay: hide these instead.',
    body: NewBlock,
    status: 201,
    returns: AddedBlock,
    changes: 'directory',
    async handle({ tx, actor, body }) {
      const block = await insertBlock(tx, uuidv7(), body, actor.userId)
      const removed = await removeBlocked(tx, block.id)
      const entry = { actorId: actor.userId, targetType: 'discovery-block', targetId: block.id } as const
      await recordAction(tx, { ...entry, action: 'discovery.block', details: { ...body, removed } })
      return { block, removed }
    },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/admin/discovery/blocks/{id}',
    operationId: 'removeDiscoveryBlock',
    summary: 'Remove a block or an opt-out',
    params: BlockParams,
    returns: Block,
    errors: [404],
    async handle({ tx, actor, params: { id } }) {
      const block = await deleteBlock(tx, id)
      if (!block) throw notFound(NO_SUCH_BLOCK)
      const { createdAt: _createdAt, ...details } = block
      const entry = { actorId: actor.userId, targetType: 'discovery-block', targetId: id } as const
      await recordAction(tx, { ...entry, action: 'discovery.unblock', details })
      return block
    },
  }),
  operation({
    tag: 'Claims',
    access: 'user',
    method: 'post',
    scope: 'servers:write',
    path: '/servers/{id}/opt-out',
    operationId: 'optOut',
    summary: 'Take your server off the directory for good',
    description:
      'Needs the proof of ownership. The listing is removed, and neither sources nor accounts can list the address and query port again until an ' +
      'administrator allows it. It stays in effect if you delete your account.',
    stepUp: true,
    resource: managedServer({ lock: 'update' }),
    returns: OptedOut,
    codes: ['not_verified'],
    changes: 'directory',
    async handle({ tx, actor: { userId }, server: { id } }) {
      if (!(await insertOptOut(tx, uuidv7(), { serverId: id, userId })))
        throw new ApiError(400, 'not_verified', 'Prove first that you own the server: POST /api/servers/{id}/claim.')
      await removeServer(tx, id)
      await recordAction(tx, { actorId: userId, action: 'server.opt-out', targetType: 'server', targetId: id })
      return { message: 'The server is no longer listed, and will not be listed again.' }
    },
  }),
]
