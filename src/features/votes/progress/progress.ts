// Streams of what votes bring: all open ones are read by one statement a second, so that their number costs
// the database nothing.
import type { ServerResponse } from 'node:http'
import type { Sql } from '../../../platform/db/pool.ts'
import { unavailable } from '../../../platform/http/errors.ts'
import type { Log } from '../../../platform/observability/log.ts'
import { findProgress, type VoteProgress, type Voter } from './progress.sql.ts'

const READ_EVERY_MS = 1_000
/** A server that is away gets its votes later: then the visitor stops waiting. */
const MAX_READS = 60
/** Per process, and per client address. */
const MAX_STREAMS = 1_000
const MAX_STREAMS_OF_CLIENT = 5

interface Stream {
  voter: Voter
  clientKey: string
  res: ServerResponse
  reads: number
  /** The last event. */
  sent: string
}

export type VoteProgressStreams = ReturnType<typeof createVoteProgress>

export function createVoteProgress({ pool, log }: { pool: Sql; log: Log }) {
  const streams = new Set<Stream>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** Reads and shows what the votes of all open streams have brought. */
  async function readAll(): Promise<void> {
    const open = [...streams]
    try {
      const found = await findProgress(
        pool,
        open.map(({ voter }) => voter),
      )
      for (const [place, stream] of open.entries()) show(stream, found[place] ?? null)
    } catch (error) {
      log.warn({ err: error }, 'streams of votes ended')
      open.forEach(end)
    }
    timer = streams.size > 0 && !isStopped ? setTimeout(readAll, READ_EVERY_MS) : undefined
  }

  function show(stream: Stream, progress: VoteProgress | null): void {
    const { delivered, rewarded } = progress ?? { delivered: null, rewarded: null }
    const isOver = (delivered !== false && rewarded !== false) || ++stream.reads >= MAX_READS
    const data = JSON.stringify({ delivered, rewarded, isOver })
    if (data !== stream.sent) stream.res.write(`event: progress\ndata: ${data}\n\n`)
    stream.sent = data
    if (isOver) end(stream)
  }

  /** Nothing may be written afterwards; `close` comes later while an earlier reply of the same connection is open. */
  function end(stream: Stream): void {
    streams.delete(stream)
    stream.res.end()
  }

  return {
    /** @throws ApiError 503 */
    requireCapacity(clientKey: string): void {
      const ofClient = [...streams].filter((stream) => stream.clientKey === clientKey).length
      if (isStopped || streams.size >= MAX_STREAMS || ofClient >= MAX_STREAMS_OF_CLIENT)
        throw unavailable('No more votes can be followed here. Try again shortly.', 5)
    },
    open(res: ServerResponse, voter: Voter, clientKey: string): void {
      const stream = { voter, clientKey, res, reads: 0, sent: '' }
      streams.add(stream)
      res.once('close', () => streams.delete(stream))
      res.on('error', () => undefined) // the client disconnected; 'close' follows
      timer ??= setTimeout(readAll)
    },
    /** Ends all streams. */
    stop(): void {
      isStopped = true
      clearTimeout(timer)
      for (const stream of streams) end(stream)
    },
  }
}
