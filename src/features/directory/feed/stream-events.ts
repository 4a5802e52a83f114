// A page of changes as Server-Sent Events, rendered once for all streams at the same position.

import { renderServerEvent } from '../engine/render.ts'
import { type ChangesPage, cursorWithin, type View } from './changes.ts'
import { type Cursor, writeCursor } from './cursor.ts'

export interface LiveEvent {
  /** The server's id. */
  id: string
  bytes: Buffer
}

/** Each event's id is the cursor after it; the last one's is the page's cursor. */
export function renderEvents(view: View, before: Cursor, page: ChangesPage): LiveEvent[] {
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
