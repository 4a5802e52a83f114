// The feed's own connection: it receives notifications, reads changes, and can be dropped at once if the database stops
// answering.
import { Socket } from 'node:net'
import pg from 'pg'
import { connectionOptions, type Sql } from '../../../platform/db/pool.ts'

/** A process that is suspended during a read must not hold back the database's vacuum for long. */
const SESSION_SETTINGS = '-c idle_in_transaction_session_timeout=60s'

export interface FeedConnection {
  db: Sql
  /** Closes the socket without waiting for the database, which may hang. Running statements fail. */
  discard(): void
}

/**
 * Opens a connection outside the pool, whose connections may all wait for a database that does not answer.
 * @param answerMs time limit for connecting, and for each statement
 * @param onChange called when a writer sends a notification, with its payload, and when the connection breaks
 */
export async function connectFeed(
  url: string,
  answerMs: number,
  onChange: (announced?: string) => void,
): Promise<FeedConnection> {
  const socket = new Socket()
  let isDiscarded = false
  const discard = () => {
    isDiscarded = true
    socket.destroy()
  }
  const client = new pg.Client({
    ...connectionOptions(url, 'directory feed', SESSION_SETTINGS),
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    stream: () => socket,
  })
  const tell = (announced?: string) => {
    if (!isDiscarded) onChange(announced)
  }
  client.on('error', () => tell()) // the next read finds the connection broken and opens another
  client.on('notification', ({ payload }) => tell(payload))
  try {
    await client.connect()
  } catch (error) {
    discard()
    throw error
  }
  return { db: client, discard }
}
