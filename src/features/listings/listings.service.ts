// The rules of adding and changing a listing as its owner, in the transaction of the operation.
import { isIPv4 } from 'node:net'
import type * as z from 'zod'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/db/pool.ts'
import { isUniqueViolation } from '../../platform/db/unique-violation.ts'
import { withoutUndefined } from '../../platform/db/without-undefined.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { deleteCredential } from '../rcon/index.ts'
import {
  addressOf,
  alreadyListed,
  findListedAt,
  insertServers,
  type ManagedServer,
  mayBeQueried,
  toListingRow,
} from '../servers/index.ts'
import { deleteFingerprint } from '../wipes/index.ts'
import { type CreateServer, UpdateServer } from './listings.schema.ts'
import { countOwned, type DetailRow, findDetail, lockOwner, resetStatus, updateListing } from './listings.sql.ts'

type AddressRules = Pick<ProcessSettings, 'ALLOW_PRIVATE_TARGETS'>

/** @throws ApiError 400 validation_failed */
export function requirePublic({ ALLOW_PRIVATE_TARGETS }: AddressRules, ipAddress: string): void {
  if (isIPv4(ipAddress) && !mayBeQueried(ipAddress, ALLOW_PRIVATE_TARGETS))
    throw validationFailed([{ path: 'body.ipAddress', message: 'must be a public address' }])
}

/**
 * Lists a server as the caller's.
 * @throws ApiError 400 validation_failed, already_listed, too_many_listings
 */
export async function addListing(
  tx: Db,
  rules: { settings: AddressRules & Pick<ProcessSettings, 'LISTINGS_PER_ACCOUNT'>; defaultGame: string },
  { userId, isAdmin }: Actor,
  fields: z.output<typeof CreateServer>,
): Promise<{ id: string; name: string }> {
  const { settings, defaultGame } = rules
  requirePublic(settings, fields.ipAddress)
  const row = toListingRow(withoutUndefined(fields), defaultGame) // omitted fields get the defaults of `NewServer`
  if (row instanceof ApiError) throw row
  if (!isAdmin) await requireListingsLeft(tx, userId, settings.LISTINGS_PER_ACCOUNT)
  const inserted = await insertServers(tx, [{ ...row, ownerId: userId }])
  if (!inserted.size) {
    const { status, code, message } = alreadyListed(row, (await findListedAt(tx, [row])).get(addressOf(row)))
    throw new ApiError(status, code, message) // without the fields that the command line uses
  }
  return { id: row.id, name: row.name }
}

/** @param limit 0: none */
async function requireListingsLeft(tx: Db, userId: string, limit: number): Promise<void> {
  if (limit === 0) return
  await lockOwner(tx, userId)
  if ((await countOwned(tx, userId)) >= limit)
    throw new ApiError(400, 'too_many_listings', `Your account may have at most ${limit} servers listed.`)
}

/**
 * Changes a listing that the transaction has locked. After a change of address, port or game, its status starts over.
 * @returns the listing as it is now, and the fields that changed
 * @throws ApiError 400 validation_failed, already_listed
 */
export async function changeListing(
  tx: Db,
  rules: AddressRules,
  { server: { id, isOwner }, actorId }: { server: ManagedServer; actorId: string },
  fields: UpdateServer,
): Promise<{ row: DetailRow; changes: object }> {
  if (fields.ipAddress !== undefined) requirePublic(rules, fields.ipAddress)
  const before = await findDetail(tx, id)
  if (Object.values(fields).some((value) => value !== undefined))
    await updateListing(tx, id, fields).catch((error) => {
      throw isUniqueViolation(error) ? addressTaken({ ...before, ...withoutUndefined(fields) }) : error
    })
  const changed = await findDetail(tx, id)
  const changes = changesBetween(editableFields(before), editableFields(changed)) ?? {}
  const isMoved = (['ipAddress', 'gamePort', 'queryPort'] as const).some((key) => before[key] !== changed[key])
  if (!isMoved && before.game === changed.game) return { row: changed, changes }
  await resetStatus(tx, id)
  // They belong to the game server at the former address.
  await deleteFingerprint(tx, id)
  await deleteCredential(tx, id)
  // For administrators, `managedServer` records every change.
  if (isMoved && isOwner)
    await recordAction(tx, { actorId, action: 'server.update', targetType: 'server', targetId: id, details: changes })
  return { row: await findDetail(tx, id), changes }
}

const addressTaken = (address: Parameters<typeof addressOf>[0]) =>
  new ApiError(400, 'already_listed', `${addressOf(address)} is already listed. If that server is yours, claim it.`)

const EDITABLE = Object.keys(UpdateServer.shape) as (keyof typeof UpdateServer.shape)[]

/** As the audit log keeps them. */
const editableFields = (row: DetailRow) =>
  Object.fromEntries(EDITABLE.map((key) => [key, row[key]])) as Pick<DetailRow, (typeof EDITABLE)[number]>
