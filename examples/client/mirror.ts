// Keeps a copy of the whole directory through its change feed: everything once, then only changes.
import { type Answer, ApiError, type Client } from './client.ts'

type Changes = Answer<'get', '/servers/changes'>
export type MirroredServer = Changes['servers'][number]

export interface Mirror {
  /** The servers as of the last `catchUp` that succeeded, by id. */
  servers(): ReadonlyMap<string, MirroredServer>
  /** Reads to the end of the feed. @returns how many servers changed or were removed */
  catchUp(): Promise<number>
}

export function createMirror(client: Client): Mirror {
  let shown = new Map<string, MirroredServer>()
  /** The same, and further while the feed is read. */
  let read = shown
  let cursor: string | undefined

  const readPage = () => client.get('/servers/changes', { query: { limit: 500, ...(cursor ? { cursor } : {}) } })

  return {
    servers: () => shown,
    async catchUp() {
      let seen = 0
      for (;;) {
        const page = await readPage().catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'cursor_expired') return undefined
          throw error
        })
        if (!page) {
          // The directory no longer knows what changed since then, as after a restored backup: start again. Until
          // everything is read, the old copy is better than an empty one.
          read = new Map()
          cursor = undefined
          continue
        }
        for (const server of page.servers) read.set(server.id, server)
        for (const id of page.removed) read.delete(id)
        seen += page.servers.length + page.removed.length
        // Stored after the page was applied: a lost page is requested again, and applying one twice does no harm.
        cursor = page.cursor
        if (page.hasMore) continue
        shown = read
        return seen
      }
    },
  }
}
