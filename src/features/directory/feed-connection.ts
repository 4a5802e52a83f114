// The feed's own connection: it hears of changes, reads them, and can be dropped at once when the database stops answering.
import { Socket } from 'node:net'
import pg from 'pg'
import { connection, type Sql } from '../../platform/db/pool.ts'

export interface FeedConnection {
  db: Sql
  /** Closes the socket without asking the database, which may be frozen. Statements under way fail. */
  discard(): void
}

/**
 * Not from the pool, whose connections may all be waiting for a database that does not answer.
 * @param answerMs how long connecting, and then each statement, may take
 * @param onChange called when a writer told of a change, and when the connection broke
 */
export async function connectFeed(url: string, answerMs: number, onChange: () => void): Promise<FeedConnection> {
  const socket = new Socket()
  let isDiscarded = false
  const discard = () => {
    isDiscarded = true
    socket.destroy()
  }
  const client = new pg.Client({
    ...connection(url, 'directory feed'),
    // A process that is frozen while it reads must not keep the database from cleaning up for long.
    options: '-c TimeZone=UTC -c idle_in_transaction_session_timeout=60s',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    stream: () => socket,
  })
  const tell = () => {
    if (!isDiscarded) onChange()
  }
  client.on('error', tell) // the next read finds the connection broken and opens another
  client.on('notification', tell)
  try {
    await client.connect()
  } catch (error) {
    discard()
    throw error
  }
  return { db: client, discard }
}
