// One open stream: what is written to it, how far its client has come, and whether the client keeps up.
import type { ServerResponse } from 'node:http'
import { type Cursor, writeCursor } from './cursor.ts'
import type { LiveEvent } from './events.ts'

/** What may wait for a client before it is given no more. */
const MOST_BUFFERED_BYTES = 128 * 1024

export interface LiveStream {
  /** Whom it counts for in the bound of open streams: its address, and with an API key the account. */
  readonly holders: readonly string[]
  /** Where the client is, as far as it was written to. */
  cursor: Cursor
  /** Since when (performance.now) it takes nothing more; undefined while it does. */
  blockedSince: number | undefined
  /** It was ended; whether the client has read all of it is not known yet. */
  isOver: boolean
  /** Its client asked for these servers only. */
  readonly ids: ReadonlySet<string> | undefined
  /** @param together the same events as one piece */
  send(events: readonly LiveEvent[], together: Buffer): void
  /** Bytes that wait for the client. */
  buffered(): number
  /** A comment, and the cursor for the next `Last-Event-ID`: events alone would leave that of a quiet stream behind. */
  beat(comment: string): void
  /** Lets the client finish reading. */
  end(): void
  /** Cuts it off. */
  drop(): void
}

export interface StreamOptions {
  holders: readonly string[]
  cursor: Cursor
  ids: ReadonlySet<string> | undefined
  /** Called when a client that was behind takes more. */
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
    drop: () => res.req.socket.resetAndDestroy(), // with a reset, so that the kernel drops its part as well
  }
  res.on('drain', () => {
    if (stream.isOver || stream.blockedSince === undefined) return
    stream.blockedSince = undefined
    options.onDrain(stream)
  })
  res.on('close', () => options.onClose(stream))
  res.on('error', () => undefined) // a client that is gone; 'close' follows
  return stream
}
