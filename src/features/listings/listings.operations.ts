// The operations by which owners manage their servers.
import type { Deps } from '../../deps.ts'
import { continentOf } from '../../platform/countries.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { startClaim } from '../claims/index.ts'
import { ServerDetail } from '../directory/index.ts'
import { bannerImageUrl, logoUrl } from '../faces/index.ts'
import { gameName, usualQueryPort } from '../games/index.ts'
import { iconPath, selfReportedFields } from '../profiles/index.ts'
import { removeServer } from '../server-removal/index.ts'
import {
  connectionOf,
  defaultGameOf,
  editionAddresses,
  findRole,
  HIDDEN_ADDRESS_DAYS,
  isListedServer,
  listedServer,
  managedServer,
  plainMotd,
  sourceOf,
} from '../servers/index.ts'
import {
  CreatedServer,
  CreateServer,
  Listing,
  MemberServers,
  OwnedServers,
  OwnedServersQuery,
  ProbeServer,
  RemovedServer,
  ServerAccess,
  ServerProbeReply,
  UpdateServer,
} from './listings.schema.ts'
import { addListing, changeListing, findListedId, requirePublic, requireUsualPort } from './listings.service.ts'
import { type DetailRow, findDetail, findMemberServers, findOwned, findVisitor } from './listings.sql.ts'
import { createProbeClient, PROBE_LIMITS, type ProberOptions } from './probe.service.ts'

const common = { tag: 'Server management', access: 'user' } as const

/** Each request sends datagrams to an address that the caller chose. */
const PROBES_PER_MINUTE = 10

/** @throws SettingsError if DEFAULT_GAME is not a game that can be queried */
export function listingsOperations({ settings, ...prober }: Pick<Deps, 'settings'> & ProberOptions) {
  const probe = createProbeClient(prober)
  const defaultGame = defaultGameOf(settings)

  return [
    operation({
      ...common,
      method: 'post',
      scope: 'servers:write',
      path: '/servers',
      operationId: 'createServer',
      summary: 'List a server as yours',
      description:
        'The server is polled at once. You can manage it until another user verifies it as theirs, so verify it first, ' +
        'with the token of the reply. ' +
        `The address of a server that was hidden by an administrator, and then removed, stays taken for ${HIDDEN_ADDRESS_DAYS} days.`,
      body: CreateServer,
      status: 201,
      returns: CreatedServer,
      codes: ['already_listed', 'too_many_listings', 'opted_out'],
      changes: 'directory',
      async handle({ tx, actor, body }) {
        const { id, name } = await addListing(tx, { settings, defaultGame }, actor, body)
        const { verificationToken, message } = await startClaim(tx, { serverId: id, userId: actor.userId })
        return { server: { id, name }, verificationToken, message }
      },
    }),
    operation({
      ...common,
      method: 'post',
      scope: 'servers:write',
      path: '/servers/probe',
      operationId: 'probeServer',
      summary: 'Query an address as polls do, before listing it',
      description:
        'Saves nothing. Waits up to 14 seconds for the server; 503 if no worker could query it by then. The name is as the server gives ' +
        'it. `unresolved`: the name leads to no public address. ' +
        `At most ${PROBES_PER_MINUTE} per minute. ${PROBE_LIMITS}`,
      // The worker that queries the address must see the job.
      transaction: false,
      body: ProbeServer,
      returns: ServerProbeReply,
      limit: { name: 'server-probe', limit: PROBES_PER_MINUTE, windowSeconds: 60, per: 'user' },
      async handle({ db, clientKey, body }) {
        const { ipAddress, game = defaultGame } = body
        requirePublic(settings, { ipAddress })
        const gamePort = body.gamePort ?? requireUsualPort(game)
        const address = { ipAddress, queryPort: body.queryPort ?? usualQueryPort(game, gamePort) }
        const listedId = await findListedId(db, address)
        const target = { ...address, game, gamePort, gamePortGiven: body.gamePort !== undefined }
        return { ...address, listedId, result: await probe(target, clientKey) }
      },
    }),
    operation({
      ...common,
      method: 'get',
      scope: 'read',
      path: '/servers/{id}/listing',
      operationId: 'getListing',
      summary: 'Get all details of your server, listed or not',
      description: '`visibility` says why a server is not listed. `GET /servers/{id}` returns only listed servers.',
      resource: managedServer({ right: 'read' }),
      returns: Listing,
      async handle({ db, server: { id, isHidden, role, rights } }) {
        const row = await findDetail(db, id)
        const isListed = isListedServer(db, { isVerified: row.isVerified, hiddenAt: null, deletedAt: null })
        const visibility = isHidden ? 'hidden' : isListed ? 'listed' : 'unverified'
        const { gamePortGiven, bedrockAddress, bedrockPort, nameFromServer, wipeSchedule } = row
        const given = { gamePortGiven, bedrockAddress, bedrockPort, nameFromServer, wipeSchedule }
        return { ...toDetail(row, settings.PUBLIC_BASE_URL), ...given, visibility, role, rights } as const
      },
    }),
    operation({
      ...common,
      method: 'get',
      scope: 'read',
      path: '/servers/{id}/access',
      operationId: 'getServerAccess',
      summary: 'Get your role and rights on a listed server',
      description: 'For pages that are the same for all visitors, and show what the user may do once they are loaded.',
      resource: listedServer(),
      returns: ServerAccess,
      async handle({ db, actor, serverId }) {
        const { role = null, rights } = await findRole(db, actor, serverId)
        const { isAdmin, isModerator } = actor
        return { ...(await findVisitor(db, actor.userId, serverId)), isAdmin, isModerator, role, rights }
      },
    }),
    operation({
      ...common,
      method: 'patch',
      scope: 'servers:write',
      path: '/servers/{id}',
      operationId: 'updateServer',
      summary: 'Change your server',
      description:
        'Only these fields can be changed; any other field is 400. A changed address or port ends the proof of ownership: the server ' +
        'stays yours, unverified, with its votes and history, and you verify it again with `POST /servers/{id}/claim`. After a change ' +
        'of address, port or game the status starts over, the RCON password is deleted, and the server is polled at once. Managers ' +
        'can’t change the address and ports, nor can owners of hidden servers. ' +
        'An address and query port with which another server is listed are refused: `already_listed`; those that their owner has taken ' +
        'off the directory: `opted_out`.',
      resource: managedServer({ right: 'edit', lock: 'update', audit: 'server.update' }),
      body: UpdateServer,
      returns: ServerDetail,
      codes: ['already_listed', 'opted_out'],
      changes: 'directory',
      async handle({ tx, actor, server, body }) {
        const rules = { settings, jobs: prober.jobs }
        const { row, changes } = await changeListing(tx, rules, { server, actor }, body)
        return new Audited(toDetail(row, settings.PUBLIC_BASE_URL), changes)
      },
    }),
    operation({
      ...common,
      method: 'delete',
      scope: 'servers:write',
      path: '/servers/{id}',
      operationId: 'deleteServer',
      summary: 'Remove your server from the directory',
      description: 'If you have proven that you own it, sources do not list it again.',
      stepUp: true,
      resource: managedServer({ lock: 'update', audit: 'server.delete' }),
      returns: RemovedServer,
      changes: 'directory',
      async handle({ tx, actor, server: { id, isOwner } }) {
        await removeServer(tx, id, { byOwner: isOwner && !actor.isAdmin })
        return { message: 'The server is no longer listed.' }
      },
    }),
    operation({
      ...common,
      method: 'get',
      scope: 'read',
      path: '/user/servers',
      operationId: 'listOwnedServers',
      summary: 'List your servers; oldest first',
      query: OwnedServersQuery,
      returns: OwnedServers,
      handle: ({ db, actor, query }) => findOwned(db, actor.userId, query),
    }),
    operation({
      ...common,
      method: 'get',
      scope: 'read',
      path: '/user/memberships',
      operationId: 'listMemberships',
      summary: 'List the servers of others whose team you belong to; oldest first',
      query: OwnedServersQuery,
      returns: MemberServers,
      handle: ({ db, actor, query }) => findMemberServers(db, actor.userId, query),
    }),
  ]
}

/**
 * The owner's fields as the owner gave them, also those that the public pages take from the game
 * server (`selfReported`).
 * @param origin of the service, for the addresses of images
 */
function toDetail(stored: DetailRow, origin: string) {
  const { profile, logoHash, bannerHash, javaOnline, bedrockOnline, ...listing } = stored
  const { gamePortGiven, bedrockAddress, bedrockPort, nameFromServer, wipeSchedule, ...row } = listing
  const addresses = editionAddresses(stored)
  return {
    ...row,
    ...connectionOf(stored),
    source: sourceOf(row),
    gameName: gameName(row.game),
    region: row.region || continentOf(row.country),
    isRegionDerived: !row.region && row.country !== '',
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    lastWipeAt: row.lastWipeAt?.toISOString() ?? null,
    nextWipeAt: row.nextWipeAt?.toISOString() ?? null,
    lastPolledAt: row.lastPolledAt?.toISOString() ?? null,
    logoUrl: logoUrl({ logoHash, profile }, origin),
    bannerImageUrl: bannerImageUrl(bannerHash, origin),
    iconUrl: profile?.icon ? `${origin}${iconPath(profile.icon)}` : null,
    motd: plainMotd(profile?.motd ?? ''),
    motdFormatted: profile?.motd ?? '',
    selfReported: selfReportedFields(row, profile),
    editions: addresses && {
      java: { connectAddress: addresses.java, isOnline: javaOnline ?? false },
      bedrock: { connectAddress: addresses.bedrock, isOnline: bedrockOnline ?? false },
    },
  }
}
