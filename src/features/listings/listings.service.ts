// The rules of adding and changing a listing as its owner, in the transaction of the operation.
import { isIP } from 'node:net'
import type * as z from 'zod'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { isInvalidParameter, isUniqueViolation } from '../../platform/db/pg-errors.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { forgetChecks } from '../claims/index.ts'
import { findOptedOut } from '../discovery/index.ts'
import { applyBannerUrl } from '../faces/index.ts'
import { usualPort } from '../games/index.ts'
import { deleteCredential } from '../rcon/index.ts'
import {
  addressOf,
  alreadyListed,
  findAtAddresses,
  insertServers,
  isHiddenAddress,
  type ListingRow,
  listedHidden,
  listingFields,
  type ManagedServer,
  mayBeQueried,
  portMissing,
  type RefuseListings,
  toListingRow,
} from '../servers/index.ts'
import { deleteFingerprint } from '../wipes/index.ts'
import { type CreateServer, UpdateServer } from './listings.schema.ts'
import {
  countOwned,
  type DetailRow,
  findDetail,
  forgetReportedName,
  type ListingChanges,
  lockOwner,
  resetStatus,
  updateListing,
} from './listings.sql.ts'

type AddressRules = Pick<ProcessSettings, 'ALLOW_PRIVATE_TARGETS'>

/** Names are checked when they are resolved. @throws ApiError 400 validation_failed */
export function requirePublic(rules: AddressRules, addresses: Addresses): void {
  const field = findPrivate(rules, addresses)
  if (field) throw notPublic(`body.${field}`)
}

type Addresses = Pick<UpdateServer, 'ipAddress' | 'bedrockAddress'> & { address?: string }

function findPrivate({ ALLOW_PRIVATE_TARGETS }: AddressRules, { ipAddress, bedrockAddress, address }: Addresses) {
  const [found] = Object.entries({ ipAddress, bedrockAddress, address }).filter(
    ([, text]) => text && isIP(text) && !mayBeQueried(text, ALLOW_PRIVATE_TARGETS),
  )
  return found?.[0]
}

const notPublic = (path: string) => validationFailed([{ path, message: 'must be a public address' }])

/** @throws ApiError 400 for a game whose servers have no usual port */
export function requireUsualPort(game: string): number {
  const port = usualPort(game)
  if (port !== undefined) return port
  const { path, message } = portMissing(game)
  throw validationFailed([{ path: `body.${path}`, message }])
}

/** @throws ApiError 400 for a Bedrock address or port that the listing can't have */
function requireBedrockRules(listing: Parameters<typeof listingFields.explainBedrock>[0]): void {
  const problem = listingFields.explainBedrock(listing)
  if (problem) throw validationFailed([{ path: `body.${problem.field}`, message: problem.message }])
}

/**
 * Lists a server as the caller's.
 * @throws ApiError 400 validation_failed, already_listed, too_many_listings, opted_out
 */
export async function addListing(
  tx: Db,
  rules: { settings: AddressRules & Pick<ProcessSettings, 'LISTINGS_PER_ACCOUNT'>; defaultGame: string },
  { userId, isAdmin }: Actor,
  fields: z.output<typeof CreateServer>,
): Promise<{ id: string; name: string }> {
  const { settings, defaultGame } = rules
  requirePublic(settings, fields)
  const { game = defaultGame, gamePort, bedrockAddress = '', bedrockPort } = fields
  if (gamePort === undefined) requireUsualPort(game)
  requireBedrockRules({ game, bedrockAddress, bedrockPort })
  const row = toListingRow(withoutUndefined(fields), defaultGame) // omitted fields get the defaults of `NewServer`
  if (row instanceof ApiError) throw row
  if (!isAdmin) await requireListingsLeft(tx, userId, settings.LISTINGS_PER_ACCOUNT)
  const inserted = await insertServers(tx, [{ ...row, ownerId: userId }])
  if (!inserted.size) throw alreadyListed(row, await findHolder(tx, row))
  await requireNotOptedOut(tx, row)
  if (!isAdmin) await requireNotHidden(tx, row)
  return { id: row.id, name: row.name }
}

type Address = Parameters<typeof addressOf>[0]

const findHolder = async (db: Db, address: Address) => (await findAtAddresses(db, [address])).get(addressOf(address))

/** @returns the server with this address, to claim it; null for none, and for a hidden one, which can't be claimed */
export async function findListedId(db: Db, address: Address): Promise<string | null> {
  const holder = await findHolder(db, address)
  return holder && !holder.isHidden ? holder.id : null
}

/** The one or two addresses where a listing is queried. */
const addressesOf = ({ ipAddress, queryPort, bedrockAddress, bedrockPort }: ListedAddresses): Address[] => [
  { ipAddress, queryPort },
  ...(bedrockAddress ? [{ ipAddress: bedrockAddress, queryPort: bedrockPort ?? listingFields.BEDROCK.port }] : []),
]

type ListedAddresses = Pick<ListingRow, 'ipAddress' | 'queryPort' | 'bedrockAddress' | 'bedrockPort'>

const optedOut = () => new ApiError(400, 'opted_out', 'The owner of this address has taken it off the directory.')

/**
 * Checks both addresses of a listing that this transaction has written: its unique index has then waited for an opt-out
 * that removes the listing at its address. Names are compared as names.
 * @throws ApiError 400 opted_out
 */
async function requireNotOptedOut(tx: Db, listing: ListedAddresses): Promise<void> {
  if ((await findOptedOut(tx, addressesOf(listing))).size > 0) throw optedOut()
}

/** @throws ApiError 400 already_listed */
async function requireNotHidden(tx: Db, listing: Address): Promise<void> {
  if (await isHiddenAddress(tx, listing)) throw listedHidden(listing)
}

/** Refuses what `addListing` would refuse in a file of listings without owners. */
export const refuseListings =
  (rules: AddressRules): RefuseListings =>
  async (db, rows) => {
    const optedOutAddresses = await findOptedOut(db, rows.flatMap(addressesOf))
    return (row) => {
      if (addressesOf(row).some((address) => optedOutAddresses.has(addressOf(address)))) return optedOut()
      const field = findPrivate(rules, row)
      return field === undefined ? undefined : notPublic(field)
    }
  }

/**
 * Locks the account's row. Only servers that it owns count.
 * @param limit 0: none
 * @throws ApiError 400 too_many_listings
 */
export async function requireListingsLeft(tx: Db, userId: string, limit: number): Promise<void> {
  if (limit === 0) return
  await lockOwner(tx, userId)
  if ((await countOwned(tx, userId)) >= limit)
    throw new ApiError(400, 'too_many_listings', `Your account may have at most ${limit} servers listed.`)
}

/**
 * Changes a listing that the transaction has locked. After a change of address, port or game, its status starts over.
 * @returns the listing as it is now, and the fields that changed
 * @throws ApiError 400 validation_failed, already_listed, opted_out; 403 if a manager changes the address, or an owner
 * that of a hidden server
 */
export async function changeListing(
  tx: Db,
  { settings, jobs }: { settings: AddressRules; jobs: JobQueue },
  { server, actor }: { server: ManagedServer; actor: Actor },
  fields: UpdateServer,
): Promise<{ row: DetailRow; changes: object }> {
  const { id, isOwner } = server
  requirePublic(settings, fields)
  const before = await findDetail(tx, id)
  requireOwnName(fields, before)
  const written = changesOf(fields, before)
  const isMoved = MOVING.some((key) => written[key] !== undefined && written[key] !== before[key])
  if (isMoved) requireMayMove(server, actor)
  const moved = { ...before, ...withoutUndefined(written) }
  if (isMoved) {
    const holder = await findHolder(tx, moved)
    if (holder && holder.id !== id) throw alreadyListed(moved, holder)
  }
  if (Object.values(written).some((value) => value !== undefined))
    await updateListing(tx, id, written, { isMoved }).catch((error) => {
      if (isUniqueViolation(error)) throw alreadyListed(moved)
      throw isInvalidParameter(error) ? timeZoneUnknown() : error
    })
  if (isMoved) await requireNotOptedOut(tx, moved)
  if (isMoved && !actor.isAdmin) await requireNotHidden(tx, moved)
  if (fields.nameFromServer !== undefined) await forgetReportedName(tx, id)
  if (fields.bannerUrl !== undefined)
    await applyBannerUrl(tx, jobs, { serverId: id, before: before.bannerUrl, after: fields.bannerUrl })
  const changed = await findDetail(tx, id)
  const changes = changesBetween(editableFields(before), editableFields(changed)) ?? {}
  if (!isMoved && before.game === changed.game) return { row: changed, changes }
  await resetStatus(tx, id)
  // They belong to the game server at the former address.
  await deleteFingerprint(tx, id)
  await deleteCredential(tx, id)
  await forgetChecks(tx, id)
  // For others than the owner, `managedServer` records every change.
  if (isMoved && isOwner)
    await recordAction(tx, {
      actorId: actor.userId,
      action: 'server.update',
      targetType: 'server',
      targetId: id,
      details: changes,
    })
  return { row: await findDetail(tx, id), changes }
}

/** @throws ApiError 403 for a manager, and for the owner of a hidden server */
function requireMayMove({ role, isHidden }: ManagedServer, { isAdmin }: Actor): void {
  // Else a manager could lead the listing to another game server and prove that one.
  if (role === 'manager')
    throw new ApiError(403, 'forbidden', 'Only the owner of this server may change its address and ports.')
  // Else the server could be listed again at the address that it leaves.
  if (isHidden && !isAdmin)
    throw new ApiError(
      403,
      'forbidden',
      'An administrator has hidden this server, so its address and ports can’t be changed.',
    )
}

/** What decides which address is polled. */
const MOVING = ['ipAddress', 'gamePort', 'gamePortGiven', 'queryPort', 'bedrockAddress', 'bedrockPort'] as const

/**
 * What an edit writes. Without a given port, the usual one of the game stands in until a poll finds another.
 * @throws ApiError 400 for a game without a usual port, and for a Bedrock address that the listing can't have
 */
function changesOf({ gamePort, ...fields }: UpdateServer, before: DetailRow): ListingChanges {
  const {
    game = before.game,
    ipAddress = before.ipAddress,
    bedrockAddress = before.bedrockAddress,
    bedrockPort,
  } = fields
  requireBedrockRules({ game, bedrockAddress, bedrockPort })
  if (gamePort) return { ...fields, gamePort, gamePortGiven: true }
  const staysGiven = before.gamePortGiven && gamePort !== null
  // A port that was found is of the former address, and of the former game.
  const staysLeftOut = !before.gamePortGiven && game === before.game && ipAddress === before.ipAddress
  if (staysGiven || staysLeftOut) return fields
  return { ...fields, gamePort: requireUsualPort(game), gamePortGiven: false }
}

/** @throws ApiError 400 for another name of a server whose name polls set */
function requireOwnName({ name, nameFromServer }: UpdateServer, before: DetailRow): void {
  if (name === undefined || name === before.name || !(nameFromServer ?? before.nameFromServer)) return
  throw validationFailed([{ path: 'body.name', message: 'is taken from the game server; set nameFromServer to false' }])
}

/** Node knows more names of time zones than PostgreSQL, which computes with them. */
const timeZoneUnknown = () =>
  validationFailed([{ path: 'body.wipeSchedule.timeZone', message: 'must be a time zone as Europe/Berlin' }])

const EDITABLE = Object.keys(UpdateServer.shape) as (keyof typeof UpdateServer.shape)[]

/** As the audit log keeps them. */
const editableFields = (row: DetailRow) =>
  Object.fromEntries(EDITABLE.map((key) => [key, row[key]])) as Pick<DetailRow, (typeof EDITABLE)[number]>
