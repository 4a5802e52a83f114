// Distinguishes an unreachable node of distributed history from an unreachable database, so that clients learn
// what is not available.
import pg from 'pg'
import { isOutage } from '../../platform/db/pg-errors.ts'
import { type ApiError, unavailable } from '../../platform/http/errors.ts'

/** A node takes longer to come back than the coordinator: it is started again or its standby promoted. */
const RETRY_AFTER_SECONDS = 30

/** How Citus reports a connection to a node that fails, and a statement that a node ends. */
const OF_A_NODE = /connection to the remote node|while executing command on/

/** The log has the cause, with the node's address, which clients must not see. */
export function rethrowUnreachableNode(error: unknown): never {
  throw isNodeUnreachable(error) ? historyUnavailable(error) : error
}

const isNodeUnreachable = (error: unknown) =>
  error instanceof pg.DatabaseError && isOutage(error) && OF_A_NODE.test(`${error.message} ${error.where}`)

const historyUnavailable = (cause: unknown): ApiError =>
  unavailable(
    'The part of player history that has this server is out of reach at the moment. Its live data is not affected.',
    RETRY_AFTER_SECONDS,
    cause,
  )
