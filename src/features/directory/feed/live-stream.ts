// One open stream: what is written to it, its client's position, and whether the client keeps up.
import type { ServerResponse } from 'node:http'
import { type Cursor, writeCursor } from './cursor.ts'
import type { LiveEvent } from './stream-events.ts'

/** Maximum unread bytes per client before it gets no more. */
const MOST_BUFFERED_BYTES = 128 * 1024

export interface LiveStream {
  /** What it counts for in the limit of open streams: its address, and with an API key the account. */
  readonly holders: readonly string[]
  /** The client's position, as far as data was written. */
  cursor: Cursor
  /** Since when (performance.now) the client reads nothing; undefined while it reads. */
  blockedSince: number | undefined
  /** Whether it was ended; the client may not have read everything yet. */
  isOver: boolean
  /** Only these servers, if the client asked for some. */
  readonly ids: ReadonlySet<string> | undefined
  /** @param together the same events in one piece */
  send(events: readonly LiveEvent[], together: Buffer): void
  /** Bytes that wait for the client. */
  buffered(): number
  /** A comment with the cursor for the next `Last-Event-ID`: a quiet stream has no events that would advance it. */
  beat(comment: string): void
  /** Lets the client finish reading. */
  end(): void
  /** Cuts the connection. */
  drop(): void
}

export interface StreamOptions {
  holders: readonly string[]
  cursor: Cursor
  ids: ReadonlySet<string> | undefined
  /** Called when a client that was behind reads again. */
  onDrain(stream: LiveStream): void
  onClose(stream: LiveStream): void
}

export function openLiveStream(res: ServerResponse, options: StreamOptions): LiveStream {
  function write(bytes: Buffer | string): void {
    if (res.destroyed || res.writableEnded) return
    res.write(bytes)
    if (stream.blockedSince === undefined && res.writableLength > MOST_BUFFERED_BYTES)
      stream.blockedSince = performance.now()
  }
  const stream: LiveStream = {
    holders: options.holders,
    cursor: options.cursor,
    ids: options.ids,
    blockedSince: undefined,
    isOver: false,
    send(events, together) {
      const { ids } = stream
      if (!ids) write(together)
      else for (const { id, bytes } of events) if (ids.has(id)) write(bytes)
    },
    buffered: () => res.writableLength,
    beat: (comment) => write(`: ${comment}\nid: ${writeCursor(stream.cursor)}\n\n`),
    end() {
      stream.isOver = true
      res.end()
    },
    drop: () => res.req.socket.resetAndDestroy(), // with a reset, so that the kernel drops its buffer too
  }
  res.on('drain', () => {
    if (stream.isOver || stream.blockedSince === undefined) return
    stream.blockedSince = undefined
    options.onDrain(stream)
  })
  res.on('close', () => options.onClose(stream))
  res.on('error', () => undefined) // the client disconnected; 'close' follows
  return stream
}
