// One open stream: the events that are written to it, its client's position, and whether the client keeps up.
import type { ServerResponse } from 'node:http'
import { renderServerEvent } from '../engine/render.ts'
import { type ChangesPage, cursorWithin, type FeedView } from './changes.ts'
import { type Cursor, writeCursor } from './cursor.ts'

export interface LiveEvent {
  /** The server's id. */
  id: string
  bytes: Buffer
}

/**
 * A page of changes, rendered once for all streams at the same position. Each event's id is the cursor after it; the
 * last one's is the page's cursor.
 */
export function renderEvents(view: FeedView, before: Cursor, page: ChangesPage): LiveEvent[] {
  const { snapshot, now } = view
  const { removed, slots } = page
  const end = writeCursor(page.cursor)
  const left = removed.map((id, n): LiveEvent => {
    const isLast = n === removed.length - 1 && slots.length === 0
    const cursor = isLast ? end : writeCursor(cursorWithin(view, before, page, { removed: id }))
    return { id, bytes: Buffer.from(`id: ${cursor}\nevent: removed\ndata: {"id":"${id}"}\n\n`) }
  })
  const shown = slots.map((slot, n): LiveEvent => {
    const cursor = n === slots.length - 1 ? end : writeCursor(cursorWithin(view, before, page, { slot }))
    return { id: snapshot.idOf(slot), bytes: renderServerEvent(snapshot, slot, cursor, now) }
  })
  return [...left, ...shown]
}

/** Maximum unread bytes per client before it gets no more. */
const MAX_BUFFERED_BYTES = 128 * 1024

/** The stream that a client requests. */
export interface StreamRequest {
  /** The stream counts toward the limits of these: the client's address, and with an API key the account. */
  holders: readonly string[]
  /** The client's position, as far as data was written. */
  cursor: Cursor
  /** Only these servers, if the client asked for some. */
  ids: ReadonlySet<string> | undefined
}

export interface LiveStream extends StreamRequest {
  /** The time (performance.now) since which the client has too many unread bytes; undefined while it keeps up. */
  blockedSince: number | undefined
  /** Whether it was ended; the client may not have read everything yet. */
  isOver: boolean
  /** @param together the same events in one piece */
  send(events: readonly LiveEvent[], together: Buffer): void
  /** Bytes that wait for the client. */
  buffered(): number
  /** Sends a comment with the cursor for the next `Last-Event-ID`, which no event advances on a quiet stream. */
  sendComment(comment: string): void
  /** Lets the client finish reading. */
  end(): void
  /** Cuts the connection. */
  drop(): void
}

interface StreamEvents {
  /** Called when a client that was behind reads again. */
  onDrain(stream: LiveStream): void
  onClose(stream: LiveStream): void
}

export function openLiveStream(
  res: ServerResponse,
  request: StreamRequest,
  { onDrain, onClose }: StreamEvents,
): LiveStream {
  function write(bytes: Buffer | string): void {
    if (res.destroyed || res.writableEnded) return
    res.write(bytes)
    if (stream.blockedSince === undefined && res.writableLength > MAX_BUFFERED_BYTES)
      stream.blockedSince = performance.now()
  }
  const stream: LiveStream = {
    ...request,
    blockedSince: undefined,
    isOver: false,
    send(events, together) {
      const { ids } = stream
      if (!ids) write(together)
      else for (const { id, bytes } of events) if (ids.has(id)) write(bytes)
    },
    buffered: () => res.writableLength,
    sendComment: (comment) => write(`: ${comment}\nid: ${writeCursor(stream.cursor)}\n\n`),
    end() {
      stream.isOver = true
      res.end()
    },
    drop: () => res.req.socket.resetAndDestroy(), // with a reset, so that the kernel drops its buffer too
  }
  res.on('drain', () => {
    if (stream.isOver || stream.blockedSince === undefined) return
    stream.blockedSince = undefined
    onDrain(stream)
  })
  res.on('close', () => onClose(stream))
  res.on('error', () => undefined) // the client disconnected; 'close' follows
  return stream
}
