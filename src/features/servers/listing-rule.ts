// Which servers are listed: the single rule of visibility, as SQL, for Prisma and for a row that was read;
// and the look-up of listed servers in memory.
import type { Db } from '../../platform/db/pool.ts'
import { notFound } from '../../platform/http/errors.ts'

type Rule = Pick<Db, 'requireVerified'>

/**
 * Which rows of `servers` are listed, as an SQL condition.
 * @param db.requireVerified whether a server is listed only after its owner has verified it
 */
export const listedIn = ({ requireVerified }: Rule): string =>
  `deleted_at is null and hidden_at is null${requireVerified ? ' and is_verified' : ''}`

/**
 * Which rows may have been listed at some time: the ids of all others are not public, not even as removed ones.
 * A server that was never verified was never listed where that is required.
 */
export const everListedIn = ({ requireVerified }: Rule): string =>
  requireVerified ? '(is_verified or was_verified)' : 'true'

/** The columns that the rule reads, as a Prisma selection. */
export const LISTING_FIELDS = { deletedAt: true, hiddenAt: true, isVerified: true } as const

/** The same rule for a row that was read. */
export const isListedServer = (
  { requireVerified }: Rule,
  server: { deletedAt: Date | null; hiddenAt: Date | null; isVerified: boolean },
): boolean => !server.deletedAt && !server.hiddenAt && (server.isVerified || !requireVerified)

/** The answer for a server that is not listed. */
export const noSuchServer = () => notFound('There is no such server.')

/** Looks up listed servers in memory. The directory, which depends on other features, implements this for them. */
export interface DirectoryLookup {
  /** @throws ApiError 404 if the server is not listed, 503 if the directory is too old */
  find(id: string): unknown
  /** @throws ApiError like `find` */
  maxPlayersOf(id: string): number
}
