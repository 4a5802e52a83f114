// The rules of the change feed: which cursors are valid, and that this process never continues from a cursor it has not
// caught up with.
import { hash } from 'node:crypto'
import { ApiError, unavailable } from '../../../platform/http/errors.ts'
import { MAX_PAGE_BYTES } from '../../../platform/http/paging.ts'
import type { RenderedJson } from '../../../platform/http/reply-kinds.ts'
import type { Position } from '../directory.sql.ts'
import { collectAfter } from '../engine/large-pages.ts'
import { lookUp } from '../engine/lookup.ts'
import { covers, type PgSnapshot, parsePgSnapshot } from '../engine/pg-snapshot.ts'
import { renderChanges, renderLookup } from '../engine/render.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { nextChanges, type View } from './changes.ts'
import { type Cursor, neededFor, readCursor, writeCursor } from './cursor.ts'

export interface ChangesService {
  /**
   * @param cursor as `readCursor` takes it
   * @throws ApiError 400 cursor_expired; 503 while the snapshot is too old, or can't catch up with the cursor
   */
  changes(query: { cursor?: string | undefined; limit: number }): RenderedJson | Promise<RenderedJson>
  lookup(asked: { ids?: string[] | undefined; addresses?: string[] | undefined }): RenderedJson
  /** @throws ApiError as `changes` */
  resume(cursor: string): Cursor | Promise<Cursor>
  /** @throws ApiError 503 */
  view(): View
  /** Whether a client can continue from here: the cursor is of this life, and all removals since are still known. */
  isFollowable(view: View, cursor: Cursor): boolean
}

interface Options {
  /** @throws ApiError 503 if it is too old */
  fresh(): { snapshot: Snapshot; now: number }
  position(): Position | undefined
  refresh(): Promise<void>
  /** What else decides which servers are listed. */
  requireVerified: boolean
}

export function createChangesService(options: Options): ChangesService {
  const { fresh, position, refresh, requireVerified } = options
  let known: { position: Position; seen: PgSnapshot; life: string } | undefined

  function place(): { seen: PgSnapshot; life: string } {
    const now = position()
    if (!now) throw unavailable('The directory is being brought up to date. Try again shortly.', 5)
    if (known?.position !== now) {
      const life = hash('sha256', `${now.life} ${now.incarnation} ${requireVerified}`, 'base64url').slice(0, 8)
      known = { position: now, seen: parsePgSnapshot(now.snapshot), life }
    }
    return known
  }

  function view(): View {
    return { ...fresh(), ...place() }
  }

  function isFollowable({ snapshot, life }: View, { life: ofCursor, base }: Cursor): boolean {
    return ofCursor === life && (!base || snapshot.removed.reaches(base))
  }

  function hasCaughtUp(cursor: Cursor): boolean {
    const needed = neededFor(cursor)
    return cursor.life !== place().life || !needed || covers(place().seen, needed)
  }

  function checked(cursor: Cursor): Cursor {
    if (!isFollowable(view(), cursor) || !hasCaughtUp(cursor))
      throw new ApiError(
        400,
        'cursor_expired',
        'The cursor is too old or of another database. Start again without one.',
      )
    return cursor
  }

  /** Another process may have shown more than this one has read; after a read this one has caught up. */
  function resume(text: string): Cursor | Promise<Cursor> {
    const cursor = readCursor(text)
    if (!cursor) throw new ApiError(400, 'cursor_expired', 'The cursor is not valid. Start again without a cursor.')
    view() // checks the age of the snapshot before anything else
    if (hasCaughtUp(cursor)) return checked(cursor)
    return refresh().then(
      () => checked(cursor),
      (cause) => {
        throw unavailable('The directory can’t be brought up to date at the moment.', 5, cause)
      },
    )
  }

  function pageFrom(cursor: Cursor | undefined, limit: number): RenderedJson {
    const now = view()
    const from = cursor ?? { life: now.life, base: undefined, at: now.now, run: undefined }
    const page = nextChanges(now, from, { limit, bytes: MAX_PAGE_BYTES })
    return collectAfter(renderChanges(now.snapshot, page, writeCursor(page.cursor), now.now))
  }

  return {
    view,
    resume,
    isFollowable,
    changes({ cursor, limit }) {
      if (cursor === undefined) return pageFrom(undefined, limit)
      const from = resume(cursor)
      return from instanceof Promise ? from.then((caughtUp) => pageFrom(caughtUp, limit)) : pageFrom(from, limit)
    },
    lookup({ ids = [], addresses = [] }) {
      const { snapshot, now } = fresh()
      return collectAfter(renderLookup(snapshot, lookUp(snapshot, { ids, addresses }, MAX_PAGE_BYTES), now))
    },
  }
}
