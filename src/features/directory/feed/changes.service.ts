// The rules of the change feed: which cursors are valid, and that this process never continues from a cursor it has not
// caught up with.
import { hash } from 'node:crypto'
import { ApiError, unavailable } from '../../../platform/http/errors.ts'
import { MAX_PAGE_BYTES } from '../../../platform/http/paging.ts'
import type { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import { type DirectoryService, notUpToDate } from '../directory.service.ts'
import type { Position } from '../directory.sql.ts'
import { lookUp } from '../engine/lookup.ts'
import { covers, type PgSnapshot, parsePgSnapshot } from '../engine/pg-snapshot.ts'
import { renderChanges, renderLookup } from '../engine/render.ts'
import { cursorAtPresent, cursorAtStart, type FeedView, nextChanges } from './changes.ts'
import { type Cursor, neededFor, readCursor, writeCursor } from './cursor.ts'
import type { Feed } from './feed.ts'

interface Options extends Pick<DirectoryService, 'requireFresh'>, Pick<Feed, 'position' | 'refresh'> {
  /** Whether only verified servers are listed: another setting means another feed. */
  requireVerified: boolean
}

export type ChangesService = ReturnType<typeof createChangesService>

export function createChangesService({ requireFresh, position, refresh, requireVerified }: Options) {
  let known: { position: Position; seen: PgSnapshot; feedId: string } | undefined

  function currentState(): { seen: PgSnapshot; feedId: string } {
    const now = position()
    if (!now) throw notUpToDate()
    if (known?.position !== now) {
      const feedId = hash(
        'sha256',
        `${now.databaseEpoch} ${now.timelineAndFile} ${requireVerified}`,
        'base64url',
      ).slice(0, 8)
      known = { position: now, seen: parsePgSnapshot(now.snapshot), feedId }
    }
    return known
  }

  /** @throws ApiError 503 */
  function view(): FeedView {
    return { ...requireFresh(), ...currentState() }
  }

  /** Whether a client can continue from the cursor: it belongs to this feed, and all removals since are still known. */
  function isFollowable({ snapshot, feedId }: FeedView, cursor: Cursor): boolean {
    return cursor.feedId === feedId && (!cursor.base || snapshot.removed.coversSince(cursor.base))
  }

  function hasCaughtUp(cursor: Cursor): boolean {
    const needed = neededFor(cursor)
    return cursor.feedId !== currentState().feedId || !needed || covers(currentState().seen, needed)
  }

  function requireFollowable(cursor: Cursor, mayRestart: boolean): Cursor {
    const current = view()
    if (isFollowable(current, cursor) && hasCaughtUp(cursor)) return cursor
    if (mayRestart) return cursorAtStart(current)
    throw new ApiError(400, 'cursor_expired', 'The cursor is too old or of another database. Start again without one.')
  }

  /**
   * Another process may have shown more than this one has read; after a read this one has caught up.
   * @param mayRestart a client that can't continue from the cursor gets everything again instead of an error
   * @throws ApiError 400 cursor_expired; 503 while the snapshot is too old, or can't catch up with the cursor
   */
  function resume(text: string, { mayRestart } = { mayRestart: false }): Cursor | Promise<Cursor> {
    const cursor = readCursor(text)
    if (!cursor) throw new ApiError(400, 'cursor_expired', 'The cursor is not valid. Start again without a cursor.')
    view() // checks the age of the snapshot before anything else
    // A cursor of another feed may come from a process that has already read a newer feed than this process.
    const mayBeLate = mayRestart && cursor.feedId !== currentState().feedId
    if (hasCaughtUp(cursor) && !mayBeLate) return requireFollowable(cursor, mayRestart)
    return refresh().then(
      () => requireFollowable(cursor, mayRestart),
      (cause) => {
        throw unavailable('The directory can’t be brought up to date at the moment.', 5, cause)
      },
    )
  }

  function pageFrom(cursor: Cursor | undefined, limit: number): RenderedJson {
    const current = view()
    const from = cursor ?? cursorAtStart(current)
    const page = nextChanges(current, from, { limit, bytes: MAX_PAGE_BYTES })
    return collectAfter(renderChanges(current.snapshot, page, writeCursor(page.cursor), current.now))
  }

  return {
    view,
    /** The position of what is shown now. @throws ApiError 503 */
    cursor: (): string => writeCursor(cursorAtPresent(view())),
    resume,
    isFollowable,
    /**
     * @param query.cursor as `readCursor` takes it
     * @throws ApiError as `resume`
     */
    changes({ cursor, limit }: { cursor?: string | undefined; limit: number }): RenderedJson | Promise<RenderedJson> {
      if (cursor === undefined) return pageFrom(undefined, limit)
      const from = resume(cursor)
      return from instanceof Promise ? from.then((caughtUp) => pageFrom(caughtUp, limit)) : pageFrom(from, limit)
    },
    lookup(asked: { ids?: string[] | undefined; addresses?: string[] | undefined }): RenderedJson {
      const { ids = [], addresses = [] } = asked
      const { snapshot, now } = requireFresh()
      return collectAfter(renderLookup(snapshot, lookUp(snapshot, { ids, addresses }, MAX_PAGE_BYTES), now))
    },
  }
}

/**
 * Garbage is collected after this many bytes of pages. Otherwise V8 lets up to 100 MB of pages accumulate while one
 * client requests many: it almost ignores bytes outside the heap.
 */
const COLLECT_AFTER_BYTES = 8_000_000

let sinceCollected = 0

/** Triggers garbage collection after large pages, if the process was started with --expose-gc. */
function collectAfter(page: RenderedJson): RenderedJson {
  sinceCollected += page.bytes.length
  if (sinceCollected >= COLLECT_AFTER_BYTES) {
    sinceCollected = 0
    globalThis.gc?.({ type: 'minor' })
  }
  return page
}
