// Adds servers to the directory, one or 100,000 of them.

import { v7 as uuidv7 } from 'uuid'
import { chunksOf } from '../../platform/chunks.ts'
import { type Settings, SettingsError } from '../../platform/config/settings.ts'
import { SettingsSchema } from '../../platform/config/settings-schema.ts'
import { type Db, inTransaction, type Pool, type Sql } from '../../platform/db/pool.ts'
import { ApiError, validationFailed } from '../../platform/http/errors.ts'
import { gameName, isGameType, usualPort, usualQueryPort } from '../games/index.ts'
import { addressOf } from './address.ts'
import { BEDROCK, explainBedrock, NewServer, type NewServerInput } from './listing-fields.ts'
import {
  type AddressHolder,
  findAtAddresses,
  findServers,
  insertServers,
  type ListingRow,
  notifyDirectory,
} from './servers.sql.ts'

/** Rows of one statement: large enough to hide the round trip, small enough to commit in milliseconds. */
const CHUNK = 1_000

/** `holderId`: of the server that has the address already, also of a hidden one. */
type Added = { id: string; name: string } | { error: ApiError; holderId?: string }

/** Results are in the order of the inputs. */
export type AddServers = (inputs: NewServerInput[]) => Promise<Added[]>

export type Servers = ReturnType<typeof createServers>

/** Rules for rows besides those of their fields. @returns why a row is refused; undefined if it is not */
export type RefuseListings = (
  db: Sql,
  rows: readonly ListingRow[],
) => Promise<(row: ListingRow) => ApiError | undefined>

/** @throws SettingsError if DEFAULT_GAME is not a game that can be queried */
export function createServers({
  pool,
  settings = { DEFAULT_GAME: SettingsSchema.shape.DEFAULT_GAME.parse(undefined) },
  refuse,
}: {
  pool: Pool
  settings?: Pick<Settings, 'DEFAULT_GAME'>
  refuse?: RefuseListings
}) {
  const defaultGame = defaultGameOf(settings)

  /** @returns each input's row, or why it can't be listed */
  async function toRows(inputs: readonly NewServerInput[]): Promise<(ListingRow | ApiError)[]> {
    const checked = inputs.map((input) => toListingRow(input, defaultGame))
    const problemOf = await refuse?.(pool, checked.filter(isRow))
    return checked.map((row) => (isRow(row) ? (problemOf?.(row) ?? row) : row))
  }

  /**
   * Adds all valid inputs. Results are in the order of the inputs; `error` is what `add` would throw for that input.
   * Commits 1,000 at a time, so a database failure loses only the inputs after the last commit.
   */
  async function addMany(inputs: NewServerInput[]): Promise<Added[]> {
    const results: Added[] = []
    for (const chunk of chunksOf(inputs, CHUNK)) results.push(...(await addChunk(chunk)))
    return results
  }

  async function addChunk(inputs: NewServerInput[]): Promise<Added[]> {
    const checked = await toRows(inputs)
    const listed = await insertRows(pool, checked.filter(isRow), refuse)
    if (listed === 'refused meanwhile') return addChunk(inputs)
    return checked.map((row) => {
      if (!isRow(row)) return { error: row }
      return listed.has(row) ? refusedFor(row, listed.get(row)) : { id: row.id, name: row.name }
    })
  }

  /** @returns a function that answers what `addMany` would, for one part of a file after the other, and adds nothing */
  function createCheck(): AddServers {
    const accepted = new Map<string, AddressHolder>()
    return async (inputs) => {
      const checked = await toRows(inputs)
      const listed = await findAtAddresses(pool, checked.filter(isRow))
      return checked.map((row) => {
        if (!isRow(row)) return { error: row }
        const address = addressOf(row)
        const holder = listed.get(address) ?? accepted.get(address)
        if (holder) return refusedFor(row, holder)
        accepted.set(address, { id: row.id, isHidden: false })
        return { id: row.id, name: row.name }
      })
    }
  }

  return {
    /**
     * @throws ApiError 400 `validation_failed`, or `already_listed` if a listed server has this address and query port
     */
    async add(input: NewServerInput) {
      const [result] = await addMany([input])
      if (!result) throw new Error('adding one server returned no result')
      if ('error' in result) throw result.error
      return result
    },
    addMany,
    createCheck,
    /**
     * A page of the servers that were not removed, in the order they were added; `after` is the last id
     * of the previous page.
     */
    list: ({ search = '', after, limit = CHUNK }: { search?: string; after?: string; limit?: number } = {}) =>
      findServers(pool, { search, after: after ?? null, limit }),
  }
}

const isRow = (row: ListingRow | ApiError): row is ListingRow => !(row instanceof ApiError)

/** @throws SettingsError if DEFAULT_GAME is not a game that can be queried */
export function defaultGameOf({ DEFAULT_GAME }: Pick<Settings, 'DEFAULT_GAME'>): string {
  if (!isGameType(DEFAULT_GAME)) throw new SettingsError(`bad setting: DEFAULT_GAME must be a gamedig type id`)
  return DEFAULT_GAME
}

/** @returns the row of a new listing without an owner, or the error if the input is invalid */
export function toListingRow(input: NewServerInput, defaultGame: string): ListingRow | ApiError {
  const parsed = NewServer.safeParse(input)
  if (!parsed.success)
    return validationFailed(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
  const { game = defaultGame, gameMode = null, lastWipeAt = null, ...listing } = parsed.data
  const gamePort = listing.gamePort ?? usualPort(game)
  if (gamePort === undefined) return validationFailed([portMissing(game)])
  const { bedrockAddress } = listing
  const problem = explainBedrock({ game, bedrockAddress, bedrockPort: listing.bedrockPort })
  if (problem) return validationFailed([{ path: problem.field, message: problem.message }])
  return {
    ...listing,
    id: uuidv7(),
    ownerId: null,
    game,
    gamePort,
    gamePortGiven: listing.gamePort !== undefined,
    queryPort: listing.queryPort ?? usualQueryPort(game, gamePort),
    bedrockPort: bedrockAddress ? (listing.bedrockPort ?? BEDROCK.port) : null,
    gameMode,
    lastWipeAt,
    source: null,
  }
}

/** The rule that a listing without a game port breaks. */
export const portMissing = (game: string) => ({
  path: 'gamePort',
  message: `is required, because ${gameName(game)} has no usual port`,
})

class RefusedMeanwhile extends Error {}

/**
 * Inserts rows whose address is not listed, the first of those with the same address. Checks them again after that: an
 * insert waits for an opt-out of its address that was begun before.
 * @returns the other rows, with the server that has their address; or that a row is refused now, and none was inserted
 */
async function insertRows(
  pool: Pool,
  rows: ListingRow[],
  refuse: RefuseListings | undefined,
): Promise<Map<ListingRow, AddressHolder | undefined> | 'refused meanwhile'> {
  if (!rows.length) return new Map()
  const first = new Map<string, ListingRow>()
  for (const row of rows) if (!first.has(addressOf(row))) first.set(addressOf(row), row)
  const insert = async (tx: Db) => {
    const ids = await insertServers(tx, [...first.values()])
    const added = rows.filter(({ id }) => ids.has(id))
    const problemOf = await refuse?.(tx, added)
    if (added.some((row) => problemOf?.(row))) throw new RefusedMeanwhile()
    if (ids.size) await notifyDirectory(tx)
    return ids
  }
  const inserted = await inTransaction(pool, insert).catch((error: unknown) => {
    if (error instanceof RefusedMeanwhile) return undefined
    throw error
  })
  if (!inserted) return 'refused meanwhile'
  const listed = rows.filter((row) => !inserted.has(row.id))
  const holders = listed.length ? await findAtAddresses(pool, listed) : new Map<string, AddressHolder>()
  return new Map(listed.map((row) => [row, holders.get(addressOf(row))]))
}

const refusedFor = (row: ListingRow, holder: AddressHolder | undefined): Added => ({
  error: alreadyListed(row, holder),
  ...(holder && { holderId: holder.id }),
})

/**
 * The message names the claim endpoint, except for a hidden server, which can't be claimed.
 * @param holder the server that has the address, if it is known
 */
export function alreadyListed(address: Pick<ListingRow, 'ipAddress' | 'queryPort'>, holder?: AddressHolder): ApiError {
  if (holder?.isHidden) return listedHidden(address)
  const problem = holder
    ? `is already listed as server ${holder.id}; if it is yours, claim it with POST /api/servers/${holder.id}/claim`
    : 'is already listed. If that server is yours, claim it.'
  return new ApiError(400, 'already_listed', `${addressOf(address)} ${problem}`)
}

/** Of a hidden listing, also one that was removed (`isHiddenAddress`). */
export const listedHidden = (address: Pick<ListingRow, 'ipAddress' | 'queryPort'>): ApiError =>
  new ApiError(400, 'already_listed', `${addressOf(address)} belongs to a listing that an administrator has hidden.`)
