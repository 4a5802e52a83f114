// Drops the streams of clients that have stopped reading.
import { droppedStreams } from '../metrics.ts'
import type { LiveStream } from './live-stream.ts'

/** A client that is blocked for longer is slow, and not just receiving a burst. */
const SLOW_MS = 2_000
/** Maximum bytes buffered for all slow clients. Beyond it, those blocked longest are dropped, and can resume. */
const MAX_HELD_BYTES = 32 * 1024 * 1024

/** @param stalledMs a client that is blocked for this long is dropped */
export function dropStalled(streams: Iterable<LiveStream>, stalledMs: number): void {
  const now = performance.now()
  for (const stream of streams)
    if (stream.isOver) stream.drop()
    else if (blockedMs(stream, now) >= stalledMs) cutOff(stream)
  dropLongestBlocked(streams, now)
}

function dropLongestBlocked(streams: Iterable<LiveStream>, now: number): void {
  const slow = [...streams]
    .filter((stream) => blockedMs(stream, now) >= SLOW_MS)
    .sort((a, b) => blockedMs(a, now) - blockedMs(b, now))
  let held = 0
  for (const stream of slow) {
    held += stream.buffered()
    if (held > MAX_HELD_BYTES) cutOff(stream)
  }
}

function cutOff(stream: LiveStream): void {
  droppedStreams.inc()
  stream.drop()
}

/** How long the client has been blocked; negative while it keeps up. */
const blockedMs = ({ blockedSince }: LiveStream, now: number): number =>
  blockedSince === undefined ? -1 : now - blockedSince
