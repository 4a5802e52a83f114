// Tells a node of distributed history that is away from a database that is, so that clients learn what is out of reach.
import pg from 'pg'
import { isOutage } from '../../platform/db/pg-errors.ts'
import { type ApiError, unavailable } from '../../platform/http/errors.ts'

/** A node takes longer to come back than the coordinator: it is started again or its standby promoted. */
const RETRY_AFTER_SECONDS = 30

/** How Citus reports a connection to a node that fails, and a statement that a node ends. */
const OF_A_NODE = /connection to the remote node|while executing command on/

/** The log has the cause, with the node's address, which clients must not see. */
export function rethrowNodeAway(error: unknown): never {
  throw isNodeAway(error) ? historyOutOfReach(error) : error
}

const isNodeAway = (error: unknown) =>
  error instanceof pg.DatabaseError && isOutage(error) && OF_A_NODE.test(`${error.message} ${error.where}`)

const historyOutOfReach = (cause: unknown): ApiError =>
  unavailable(
    'The part of player history that has this server is out of reach at the moment. Its live data is not affected.',
    RETRY_AFTER_SECONDS,
    cause,
  )
