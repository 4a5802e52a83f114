// The operations by which owners manage their servers.
import { isIP } from 'node:net'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { isUniqueViolation } from '../../platform/db/unique-violation.ts'
import { withoutUndefined } from '../../platform/db/without-undefined.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { startClaim } from '../claims/index.ts'
import { continentOf, ServerDetail } from '../directory/index.ts'
import { gameName, usualQueryPort } from '../games/index.ts'
import { deleteCredential } from '../rcon/index.ts'
import {
  addressOf,
  alreadyListed,
  defaultGameOf,
  deleteServer,
  findListedAt,
  insertServers,
  isListedServer,
  managedServer,
  mayBeAsked,
  toRow,
} from '../servers/index.ts'
import { forgetFingerprint } from '../wipes/index.ts'
import {
  CreatedServer,
  CreateServer,
  Listing,
  OwnedServers,
  OwnedServersQuery,
  ProbeServer,
  RemovedServer,
  ServerProbeReply,
  UpdateServer,
} from './listings.schema.ts'
import {
  countOwned,
  type DetailRow,
  findDetail,
  findOwned,
  lockOwner,
  resetStatus,
  updateListing,
} from './listings.sql.ts'
import { createProber, type ProberOptions } from './probe.service.ts'

const common = { tag: 'Server management', access: 'user' } as const

/** Each request sends datagrams to an address that the caller chose. */
const PROBES_PER_MINUTE = 10

/** @throws SettingsError if DEFAULT_GAME is not a game that can be queried */
export function listingsOperations({ settings, ...prober }: Pick<Deps, 'settings'> & ProberOptions) {
  const probe = createProber(prober)
  const defaultGame = defaultGameOf(settings)

  function requirePublic(ipAddress: string): void {
    if (isIP(ipAddress) && !mayBeAsked(ipAddress, settings.ALLOW_PRIVATE_TARGETS))
      throw validationFailed([{ path: 'body.ipAddress', message: 'must be a public address' }])
  }

  async function requireListingsLeft(tx: Db, userId: string): Promise<void> {
    const limit = settings.LISTINGS_PER_ACCOUNT
    if (limit === 0) return
    await lockOwner(tx, userId)
    if ((await countOwned(tx, userId)) >= limit)
      throw new ApiError(400, 'too_many_listings', `Your account may have at most ${limit} servers listed.`)
  }

  return [
    operation({
      ...common,
      method: 'post',
      path: '/servers',
      operationId: 'createServer',
      summary: 'List a server as yours',
      description:
        'The server is polled at once. You can manage it until another user verifies it as theirs, so verify it first, ' +
        'with the token of the reply.',
      body: CreateServer,
      status: 201,
      returns: CreatedServer,
      codes: ['already_listed', 'too_many_listings'],
      changes: 'directory',
      async handle({ tx, actor: { userId, isAdmin }, body }) {
        requirePublic(body.ipAddress)
        const row = toRow(withoutUndefined(body), defaultGame) // omitted fields get the defaults of `NewServer`
        if (row instanceof ApiError) throw row
        if (!isAdmin) await requireListingsLeft(tx, userId)
        const inserted = await insertServers(tx, [{ ...row, ownerId: userId }])
        if (!inserted.size) {
          const { status, code, message } = alreadyListed(row, (await findListedAt(tx, [row])).get(addressOf(row)))
          throw new ApiError(status, code, message) // without the fields that the command line uses
        }
        const { verificationToken, message } = await startClaim(tx, { serverId: row.id, userId })
        return { server: { id: row.id, name: row.name }, verificationToken, message }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/servers/probe',
      operationId: 'probeServer',
      summary: 'Query an address as polls do, before listing it',
      description:
        'Saves nothing. Waits up to 14 seconds for the server; 503 if no worker could query it by then. The name is as the server gives ' +
        'it. `unresolved`: the name leads to no public address. ' +
        `At most ${PROBES_PER_MINUTE} per minute.`,
      // The worker that queries the address must see the job.
      transaction: false,
      body: ProbeServer,
      returns: ServerProbeReply,
      limit: { name: 'server-probe', limit: PROBES_PER_MINUTE, windowSeconds: 60, per: 'user' },
      async handle({ db, body: { ipAddress, gamePort, queryPort: given, game = defaultGame } }) {
        requirePublic(ipAddress)
        const queryPort = given ?? usualQueryPort(game, gamePort)
        const address = { ipAddress, queryPort }
        const listedId = (await findListedAt(db, [address])).get(addressOf(address)) ?? null
        return { ...address, listedId, result: await probe({ ...address, game }) }
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: '/servers/{id}/listing',
      operationId: 'getListing',
      summary: 'Get all details of your server, listed or not',
      description: '`visibility` says why a server is not listed. `GET /servers/{id}` returns only listed servers.',
      resource: managedServer(),
      returns: Listing,
      async handle({ db, server: { id, isHidden } }) {
        const row = await findDetail(db, id)
        const isListed = isListedServer(db, { isVerified: row.isVerified, hiddenAt: null, deletedAt: null })
        const visibility = isHidden ? 'hidden' : isListed ? 'listed' : 'unverified'
        return { ...toDetail(row), visibility } as const
      },
    }),
    operation({
      ...common,
      method: 'patch',
      path: '/servers/{id}',
      operationId: 'updateServer',
      summary: 'Change your server',
      description:
        'Only these fields can be changed; any other field is 400. A changed address or port ends the proof of ownership: the server ' +
        'stays yours, unverified, with its votes and history, and you verify it again with `POST /servers/{id}/claim`. After a change ' +
        'of address, port or game the status starts over, the RCON password is deleted, and the server is polled at once. ' +
        'An address and query port with which another server is listed are refused: `already_listed`.',
      resource: managedServer({ lock: 'update', audit: 'server.update' }),
      body: UpdateServer,
      returns: ServerDetail,
      codes: ['already_listed'],
      changes: 'directory',
      async handle({ tx, actor, server: { id, isOwner }, body }) {
        if (body.ipAddress !== undefined) requirePublic(body.ipAddress)
        const before = await findDetail(tx, id)
        if (Object.values(body).some((value) => value !== undefined))
          await updateListing(tx, id, body).catch((error) => {
            throw isUniqueViolation(error) ? addressTaken({ ...before, ...withoutUndefined(body) }) : error
          })
        const edited = await findDetail(tx, id)
        const changes = changesBetween(editedOf(before), editedOf(edited)) ?? {}
        const isMoved = (['ipAddress', 'gamePort', 'queryPort'] as const).some((key) => before[key] !== edited[key])
        if (!isMoved && before.game === edited.game) return new Audited(toDetail(edited), changes)
        await resetStatus(tx, id)
        // They belong to the game server at the former address.
        await forgetFingerprint(tx, id)
        await deleteCredential(tx, id)
        // For administrators, `managedServer` records every change.
        if (isMoved && isOwner)
          await recordAction(tx, {
            actorId: actor.userId,
            action: 'server.update',
            targetType: 'server',
            targetId: id,
            details: changes,
          })
        return new Audited(toDetail(await findDetail(tx, id)), changes)
      },
    }),
    operation({
      ...common,
      method: 'delete',
      path: '/servers/{id}',
      operationId: 'deleteServer',
      summary: 'Remove your server from the directory',
      resource: managedServer({ lock: 'update', audit: 'server.delete' }),
      returns: RemovedServer,
      changes: 'directory',
      async handle({ tx, server }) {
        await deleteServer(tx, server.id)
        return { message: 'The server is no longer listed.' }
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: '/user/servers',
      operationId: 'listOwnedServers',
      summary: 'List your servers; oldest first',
      query: OwnedServersQuery,
      returns: OwnedServers,
      handle: ({ db, actor, query }) => findOwned(db, actor.userId, query),
    }),
  ]
}

const addressTaken = (address: Parameters<typeof addressOf>[0]) =>
  new ApiError(400, 'already_listed', `${addressOf(address)} is already listed. If that server is yours, claim it.`)

/** The fields that owners edit, as the audit log keeps them. */
const editedOf = (row: DetailRow) =>
  Object.fromEntries(EDITED.map((key) => [key, row[key]])) as Pick<DetailRow, (typeof EDITED)[number]>

const EDITED = Object.keys(UpdateServer.shape) as (keyof typeof UpdateServer.shape)[]

const toDetail = (row: DetailRow) => ({
  ...row,
  gameName: gameName(row.game),
  region: row.region || continentOf(row.country),
  isRegionDerived: !row.region && row.country !== '',
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  lastWipeAt: row.lastWipeAt?.toISOString() ?? null,
  lastPolledAt: row.lastPolledAt?.toISOString() ?? null,
})
